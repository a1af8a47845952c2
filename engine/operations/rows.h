// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"

#include <QVariant>

#include <optional>

namespace outbox::operations {

// How the statements of this room hand out values: moments as microseconds since the epoch, ids as text, states
// and causes by their names. A name that this program does not know is a programming error of the schema's version
// check; it reads as the first of its kind.

Timestamp timestampOf(const QVariant &micros);
MessageId idOf(const QVariant &text);
FailureCause causeOf(const QVariant &name);
/// The kind with its Event record, which only an integration event has.
MessageKind kindOf(const QVariant &name, const QString &eventRecord);

/// The columns that tell a record's state, wherever they stand in a row.
struct StateColumns {
    QVariant state;
    QVariant attempt;
    QVariant since; ///< next attempt, expiry of the lease, dispatch or failure: what the state has
    QVariant cause;
    QVariant reason;
    QVariant worker;
    QVariant fence;
};
OutboxState stateOf(const StateColumns &columns);

/// A text parameter that may be missing: then the statement does not filter by it.
QVariant textOrNull(const std::optional<QString> &text);

} // namespace outbox::operations
