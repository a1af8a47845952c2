// SPDX-License-Identifier: Apache-2.0
#include "operations/overview.h"

#include "operations/rows.h"

namespace outbox::operations {

Result<api::Overview, store::StoreError> overview(store::Connection &connection, Counting counting)
{
    const SteadyClock clock;
    const Instant begun = clock.now();
    const auto ran =
        connection.run(counting == Counting::exact ? "overview_exact" : "overview", {}, store::Effect::reads);
    if (!ran)
        return ran.error();
    auto &row = **ran;
    row.next();
    api::Overview answer;
    answer.at = timestampOf(row.value(0));
    answer.pending = {row.value(1).toLongLong(), row.value(2).toBool()};
    answer.processing = {row.value(3).toLongLong(), row.value(4).toBool()};
    answer.deadLetters = {row.value(5).toLongLong(), row.value(6).toBool()};
    answer.dispatchedTotal = row.value(7).toLongLong();
    answer.retriedTotal = row.value(8).toLongLong();
    answer.deadTotal = row.value(9).toLongLong();
    answer.refusedTotal = row.value(10).toLongLong();
    if (!row.value(11).isNull())
        answer.oldestPendingAge = milliseconds(row.value(11).toLongLong());
    answer.oldestPendingType = row.value(12).toString();
    answer.queryTime = std::chrono::duration_cast<milliseconds>(clock.now() - begun);
    return answer;
}

} // namespace outbox::operations
