// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "store/connection.h"

namespace outbox::operations {

enum class Counting {
    bounded, ///< costs the database a bounded amount of work; long backlogs are estimated, and say so
    exact,   ///< counts to the last record, however long it takes
};

/// What the gauges show (S19, D2). The totals are exact either way. Blocks; the connection's thread.
Result<api::Overview, store::StoreError> overview(store::Connection &connection, Counting counting);

} // namespace outbox::operations
