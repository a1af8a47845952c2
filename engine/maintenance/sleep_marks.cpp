// SPDX-License-Identifier: Apache-2.0
#include "maintenance/sleep_marks.h"

namespace outbox::maintenance {

Result<Done, store::StoreError> SleepMarks::run(store::Connection &connection, WorkerId)
{
    auto query = connection.run("sweep_sleepers", {}, store::Effect::writes);
    if (!query)
        return query.error();
    return Done{};
}

} // namespace outbox::maintenance
