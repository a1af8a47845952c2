// SPDX-License-Identifier: Apache-2.0
#include "maintenance/expired_leases.h"

#include "base/log.h"
#include "store/pg_text.h"

namespace outbox::maintenance {

Result<Done, store::StoreError> ExpiredLeases::run(store::Connection &connection, WorkerId worker)
{
    auto query =
        connection.run("release_expired",
                       {worker.value(), retry_.attempts, store::interval(backoff_.base), store::interval(backoff_.cap)},
                       store::Effect::writes);
    if (!query)
        return query.error();
    if ((*query)->next()) {
        const auto returned = (*query)->value(0).toLongLong();
        const auto dead = (*query)->value(1).toLongLong();
        if (returned + dead > 0)
            log::warning("lease.expired", {{"returned", returned}, {"dead", dead}});
    }
    return Done{};
}

} // namespace outbox::maintenance
