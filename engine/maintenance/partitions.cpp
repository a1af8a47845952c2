// SPDX-License-Identifier: Apache-2.0
#include "maintenance/partitions.h"

#include "base/log.h"

namespace outbox::maintenance {

namespace {

constexpr int daysAhead = 7;

} // namespace

Result<Done, store::StoreError> Partitions::run(store::Connection &connection, WorkerId)
{
    auto query = connection.run("ensure_partitions", {daysAhead}, store::Effect::writes);
    if (!query) {
        // A lock that somebody holds for long is no outage; there are days of room left.
        if (const auto *away = std::get_if<store::Unavailable>(&query.error());
            away != nullptr && away->why == store::Unavailable::Why::timeout) {
            log::info("partitions.postponed", {{"reason", away->text}});
            return Done{};
        }
        return query.error();
    }
    if ((*query)->next() && (*query)->value(0).toInt() > 0)
        log::info("partitions.made", {{"count", (*query)->value(0).toInt()}});
    return Done{};
}

} // namespace outbox::maintenance
