// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "store/connection.h"

namespace outbox::operations {

/// Dead letters that failed alike: the same cause, type, version and destination. Largest group first; counts beyond
/// 100,000 dead letters are of the newest 100,000. Blocks; the connection's thread.
Result<QList<api::DeadLetterGroup>, store::StoreError> deadLetterGroups(store::Connection &connection);

} // namespace outbox::operations
