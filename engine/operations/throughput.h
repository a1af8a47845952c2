// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "store/connection.h"

namespace outbox::operations {

/// Points of the given width that cover the last `span`, oldest first, gaps filled with zeros. The newest point is
/// still filling. Width is at least ten seconds, in which the store keeps its tally; 10,000 points at the most, so a
/// width that is too small for the span is widened. Blocks; the connection's thread.
Result<QList<api::ThroughputPoint>, store::StoreError> throughput(store::Connection &connection, seconds span,
                                                                  seconds width);

} // namespace outbox::operations
