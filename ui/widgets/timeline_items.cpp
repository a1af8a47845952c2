// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline_items.h"

#include "base/result.h"
#include "text/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace outbox::ui {

namespace {

struct Timeline {
    Q_DECLARE_TR_FUNCTIONS(outbox::ui::Timeline)
};

using Kind = TimelineItem::Kind;

class Builder {
public:
    explicit Builder(const api::RecordDetail &record) : record_(record), reached_(record.stagedAt) {}

    QList<TimelineItem> build()
    {
        auto replay = record_.replays.cbegin();
        for (const api::AttemptRow &attempt : record_.attempts) {
            while (replay != record_.replays.cend() && replay->at <= attempt.startedAt)
                add(*replay++);
            add(attempt);
        }
        while (replay != record_.replays.cend())
            add(*replay++);
        std::visit([this](const auto &state) { addState(state); }, record_.state);
        return items_;
    }

private:
    void span(StateKind state, Timestamp from, Timestamp to)
    {
        items_.append({Kind::span,
                       state,
                       from,
                       std::max(from, to),
                       Timeline::tr("%1 from %2 for %3")
                           .arg(text::stateText(state), text::clock(from), text::duration(text::between(from, to))),
                       {}});
        reached_ = std::max(from, to);
    }

    void add(const api::AttemptRow &attempt)
    {
        span(StateKind::pending, reached_, attempt.startedAt);
        span(StateKind::processing, attempt.startedAt, attempt.endedAt);
        items_.append({Kind::failure, StateKind::processing, attempt.startedAt, attempt.endedAt,
                       Timeline::tr("Try %1 by %2 failed at %3: %4")
                           .arg(attempt.number)
                           .arg(attempt.worker, text::clock(attempt.endedAt),
                                attempt.summary.isEmpty() ? text::causeText(attempt.cause) : attempt.summary),
                       Timeline::tr("%1 · %2").arg(attempt.number).arg(text::causeText(attempt.cause))});
    }

    void add(const api::ReplayRow &replay)
    {
        span(StateKind::dead_letter, reached_, replay.at);
        items_.append(
            {Kind::replay, StateKind::dead_letter, replay.at, replay.at,
             Timeline::tr("Replayed at %1 by %2: %3").arg(text::clock(replay.at), replay.actor, replay.reason),
             Timeline::tr("replayed by %1").arg(replay.actor)});
    }

    void addState(const Pending &pending)
    {
        span(StateKind::pending, reached_, record_.readAt);
        if (pending.nextAttemptAt > record_.readAt)
            items_.append({Kind::expected, StateKind::pending, record_.readAt, pending.nextAttemptAt,
                           Timeline::tr("Due at %1").arg(text::clock(pending.nextAttemptAt)),
                           Timeline::tr("due %1").arg(text::clock(pending.nextAttemptAt))});
    }

    void addState(const Processing &processing)
    {
        const Timestamp claimed = std::max(record_.claimedAt, reached_);
        span(StateKind::pending, reached_, claimed);
        span(StateKind::processing, claimed, record_.readAt);
        if (processing.lease.expiresAt > record_.readAt)
            items_.append({Kind::expected, StateKind::processing, record_.readAt, processing.lease.expiresAt,
                           Timeline::tr("Lease ends at %1").arg(text::clock(processing.lease.expiresAt)),
                           Timeline::tr("lease until %1").arg(text::clock(processing.lease.expiresAt))});
    }

    void addState(const Dispatched &dispatched)
    {
        const Timestamp claimed = std::clamp(record_.claimedAt, reached_, std::max(reached_, dispatched.dispatchedAt));
        span(StateKind::pending, reached_, claimed);
        span(StateKind::processing, claimed, dispatched.dispatchedAt);
        items_.append({Kind::accepted, StateKind::dispatched, dispatched.dispatchedAt, dispatched.dispatchedAt,
                       Timeline::tr("Accepted by %1 at %2")
                           .arg(text::destinationName(record_.destination), text::clock(dispatched.dispatchedAt)),
                       Timeline::tr("accepted")});
    }

    void addState(const DeadLetter &dead)
    {
        if (dead.failedAt > reached_)
            span(StateKind::processing, reached_, dead.failedAt);
        span(StateKind::dead_letter, dead.failedAt, record_.readAt);
    }

    const api::RecordDetail &record_;
    Timestamp reached_;
    QList<TimelineItem> items_;
};

} // namespace

QList<TimelineItem> timelineOf(const api::RecordDetail &record) { return Builder(record).build(); }

} // namespace outbox::ui
