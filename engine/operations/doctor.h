// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "store/connection.h"

namespace outbox::operations {

/// What the looker knows of itself.
struct DoctorSettings {
    QString programVersion;
    Timestamp localNow; ///< this machine's clock, to compare with the database's
};

/// Looks a store over: every message in exactly one state, leases and records that belong together, versions, rights,
/// what holds the oldest snapshot, partitions, routes, workers, clock. Reads every row of every state, set against
/// set; give the connection no statement timeout on a big store. What the role may not see is reported as a warning.
/// Changes nothing. Blocks; the connection's thread.
Result<api::DoctorReport, store::StoreError> doctor(store::Connection &connection, const DoctorSettings &settings);

} // namespace outbox::operations
