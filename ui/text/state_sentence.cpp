// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/result.h"
#include "text/words.h"

#include <QCoreApplication>

namespace outbox::ui::text {

namespace {

struct Sentence {
    Q_DECLARE_TR_FUNCTIONS(outbox::ui::text)
};

QString ordinal(int number)
{
    switch (number) {
    case 1: return Sentence::tr("first");
    case 2: return Sentence::tr("second");
    case 3: return Sentence::tr("third");
    case 4: return Sentence::tr("fourth");
    case 5: return Sentence::tr("fifth");
    default: return Sentence::tr("%1th").arg(number);
    }
}

QString attemptsUsed(int count)
{
    return count == 1 ? Sentence::tr("1 attempt") : Sentence::tr("%1 attempts").arg(count);
}

QString because(const api::RecordDetail &record)
{
    if (record.attempts.isEmpty())
        return {};
    return Sentence::tr(", because: %1").arg(causeText(record.attempts.constLast().cause));
}

QString say(const api::RecordDetail &record, const Pending &pending)
{
    if (record.destination.isEmpty())
        return Sentence::tr("waits: no route names a destination for %1").arg(record.message.type.value());
    const bool due = pending.nextAttemptAt <= record.readAt;
    const QString when = due ? Sentence::tr("due for %1").arg(duration(between(pending.nextAttemptAt, record.readAt)))
                             : Sentence::tr("due in %1").arg(duration(between(record.readAt, pending.nextAttemptAt)));
    const QString what = Sentence::tr("waits for its %1 attempt, %2").arg(ordinal(pending.attempts + 1), when);
    return pending.attempts > 0 ? what + because(record) : what;
}

QString say(const api::RecordDetail &record, const Processing &processing)
{
    const QString who = record.worker.isEmpty() ? Sentence::tr("a worker") : record.worker;
    if (processing.lease.expiresAt <= record.readAt)
        return Sentence::tr("%1 attempt by %2, whose lease is over: any worker will give it back")
            .arg(ordinal(processing.attempt), who);
    return Sentence::tr("%1 attempt under way by %2, its lease ends in %3")
        .arg(ordinal(processing.attempt), who, duration(between(record.readAt, processing.lease.expiresAt)));
}

QString say(const api::RecordDetail &record, const Dispatched &dispatched)
{
    return Sentence::tr("accepted by %1 at the %2 attempt, %3 after it was staged")
        .arg(destinationName(record.destination), ordinal(dispatched.attempt),
             duration(between(record.stagedAt, dispatched.dispatchedAt)));
}

QString say(const api::RecordDetail &record, const DeadLetter &dead)
{
    return Sentence::tr("given up after %1, %2 ago: %3")
        .arg(attemptsUsed(dead.attempts), duration(between(dead.failedAt, record.readAt)), causeText(dead.cause));
}

} // namespace

QString stateSentence(const api::RecordDetail &record)
{
    return std::visit([&](const auto &state) { return say(record, state); }, record.state);
}

} // namespace outbox::ui::text
