// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"

#include <QUuid>

#include <optional>
#include <vector>

namespace outbox::operations {

/// Ids from `low` to `high`, both included.
struct IdRange {
    QUuid low;
    QUuid high;
};

/// The list's order: newest first. Ids of the present (UUIDv7) come first, from the greatest down; ids that were
/// brought from elsewhere tell no time and come after them, also from the greatest down.
///
/// Gives what is still to be listed after the cursor, as ranges of ids in that order.
std::vector<IdRange> rangesAfter(const std::optional<api::RecordCursor> &cursor);

/// Comes `a` before `b` in the list?
bool isListedBefore(const QUuid &a, const QUuid &b);

/// The next smaller id, as bytes. Precondition: not the nil id.
QUuid idBelow(const QUuid &id);

} // namespace outbox::operations
