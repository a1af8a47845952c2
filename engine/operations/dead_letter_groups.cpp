// SPDX-License-Identifier: Apache-2.0
#include "operations/dead_letter_groups.h"

#include "operations/rows.h"

namespace outbox::operations {

Result<QList<api::DeadLetterGroup>, store::StoreError> deadLetterGroups(store::Connection &connection)
{
    const auto ran = connection.run("dead_letter_groups", {}, store::Effect::reads);
    if (!ran)
        return ran.error();
    QList<api::DeadLetterGroup> groups;
    for (auto &row = **ran; row.next();)
        groups << api::DeadLetterGroup{causeOf(row.value(0)),     row.value(1).toString(),   row.value(2).toInt(),
                                       row.value(3).toString(),   row.value(4).toLongLong(), timestampOf(row.value(5)),
                                       timestampOf(row.value(6)), row.value(7).toString()};
    return groups;
}

} // namespace outbox::operations
