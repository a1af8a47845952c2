// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "store/connection.h"

namespace outbox::operations {

/// How many ids one page looks at before it gives up for now: keeps a filter that fits seldom from reading millions
/// of rows in one go.
constexpr int scanBudget = 10'000;

/// At most `limit` (1 to 500) records after the cursor, newest first: ids of the present before ids that were brought
/// from elsewhere, each from the greatest down.
///
/// A page may hold fewer rows than asked for, or none, and still have a `next`: the scan budget was used up. Go on
/// from there. Several states are read one after the other, in the direction of a record's life, so that one that
/// moves on meanwhile is not missed. Blocks; the connection's thread.
Result<api::RecordPage, store::StoreError> recordList(store::Connection &connection, const api::RecordFilter &filter,
                                                      const std::optional<api::RecordCursor> &cursor, int limit,
                                                      int budget = scanBudget);

/// The same for dead letters only: those of one group, or all.
Result<api::RecordPage, store::StoreError> deadLetterList(store::Connection &connection,
                                                          const std::optional<api::DeadLetterGroup> &group,
                                                          const std::optional<api::RecordCursor> &cursor, int limit,
                                                          int budget = scanBudget);

} // namespace outbox::operations
