// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace outbox::ui::text {

/// The payload in lines and indents, and nothing else changed: order of keys, digits of numbers, escapes and
/// doubled keys stay as they were given, which no JSON library promises. At most `limit` bytes of it are laid
/// out; `cut` then says so. Text that is no JSON comes back as it is.
struct JsonLayout {
    QString text;
    bool cut = false;
};
JsonLayout layOutJson(const QByteArray &payload, qsizetype limit = 128 * 1024);

} // namespace outbox::ui::text
