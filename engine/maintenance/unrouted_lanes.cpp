// SPDX-License-Identifier: Apache-2.0
#include "maintenance/unrouted_lanes.h"

#include "base/log.h"

namespace outbox::maintenance {

Result<Done, store::StoreError> UnroutedLanes::run(store::Connection &connection, WorkerId)
{
    auto query = connection.run("route_lanes", {}, store::Effect::writes);
    if (!query)
        return query.error();
    if ((*query)->next() && (*query)->value(0).toInt() > 0)
        log::info("lanes.routed", {{"count", (*query)->value(0).toInt()}});
    return Done{};
}

} // namespace outbox::maintenance
