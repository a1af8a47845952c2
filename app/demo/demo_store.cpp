// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo/demo_store.h"

#include <QFileInfo>

namespace outbox::demo {

store::StoreAddress demoStore()
{
    const auto usual = store::parseStoreAddress(QStringLiteral("embedded"));
    const auto folder = std::get<store::EmbeddedAddress>(*usual).folder;
    return store::EmbeddedAddress{QFileInfo(folder).path() + QStringLiteral("/demo")};
}

} // namespace outbox::demo
