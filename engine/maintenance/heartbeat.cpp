// SPDX-License-Identifier: Apache-2.0
#include "maintenance/heartbeat.h"

#include "store/worker_store.h"

namespace outbox::maintenance {

Result<Done, store::StoreError> Heartbeat::run(store::Connection &connection, WorkerId worker)
{
    const auto known = store::WorkerStore(connection).heartbeat(worker);
    if (!known)
        return known.error();
    if (!*known) // Another database than the one we registered with: go through the gate again.
        return store::StoreError(store::Unavailable{store::Unavailable::Why::unreachable,
                                                    QStringLiteral("the store does not know this worker any more")});
    return Done{};
}

} // namespace outbox::maintenance
