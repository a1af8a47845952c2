// SPDX-License-Identifier: Apache-2.0
#include "operations/message_types.h"

namespace outbox::operations {

Result<QStringList, store::StoreError> messageTypes(store::Connection &connection)
{
    const auto ran = connection.run("message_types", {}, store::Effect::reads);
    if (!ran)
        return ran.error();
    QStringList types;
    while ((*ran)->next())
        types << (*ran)->value(0).toString();
    return types;
}

} // namespace outbox::operations
