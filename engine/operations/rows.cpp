// SPDX-License-Identifier: Apache-2.0
#include "operations/rows.h"

namespace outbox::operations {

Timestamp timestampOf(const QVariant &micros) { return Timestamp(std::chrono::microseconds(micros.toLongLong())); }

MessageId idOf(const QVariant &text) { return MessageId(QUuid::fromString(text.toString())); }

FailureCause causeOf(const QVariant &name)
{
    return causeFromName(name.toString().toStdString()).value_or(FailureCause::rejected);
}

MessageKind kindOf(const QVariant &name, const QString &eventRecord)
{
    return kindFromName(name.toString().toStdString(), eventRecord).value_or(IntegrationEvent{eventRecord});
}

OutboxState stateOf(const StateColumns &columns)
{
    const int attempt = columns.attempt.toInt();
    const Timestamp since = timestampOf(columns.since);
    switch (stateFromName(columns.state.toString().toStdString()).value_or(StateKind::pending)) {
    case StateKind::pending: return Pending{attempt, since};
    case StateKind::processing:
        return Processing{attempt, {WorkerId(columns.worker.toInt()), Fence(columns.fence.toLongLong()), since}};
    case StateKind::dispatched: return Dispatched{attempt, since};
    case StateKind::dead_letter: return DeadLetter{attempt, since, causeOf(columns.cause), columns.reason.toString()};
    }
    return Pending{attempt, since};
}

QVariant textOrNull(const std::optional<QString> &text)
{
    return text ? QVariant(*text) : QVariant(QMetaType::fromType<QString>());
}

} // namespace outbox::operations
