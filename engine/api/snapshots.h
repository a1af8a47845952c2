// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "domain/message.h"
#include "domain/state.h"

#include <QList>
#include <QSet>
#include <QString>

#include <cstdint>
#include <optional>

namespace outbox::api {

/// A number with its honesty: exact, or at least that many (an estimate above the cap).
struct Count {
    std::int64_t value = 0;
    bool exact = true;
};

/// What the gauges show, at one moment of the database's clock (S19, D2).
struct Overview {
    Timestamp at;
    Count pending;
    Count processing;
    Count deadLetters;
    std::int64_t dispatchedTotal = 0; ///< since the store was made; exact
    std::int64_t retriedTotal = 0;    ///< attempts that failed and were put back
    std::int64_t deadTotal = 0;       ///< records that went to dead letter, replayed ones included
    std::int64_t refusedTotal = 0;    ///< late outcomes that the fence refused (S8)
    std::optional<milliseconds> oldestPendingAge;
    QString oldestPendingType;
    milliseconds queryTime{0}; ///< what the answer cost the database and the way there
};

/// One point of throughput history: what all workers did in [at, at + width).
struct ThroughputPoint {
    Timestamp at;
    milliseconds width{0};
    std::int64_t dispatched = 0;
    std::int64_t retried = 0;
    std::int64_t dead = 0;
};

/// A line of the records list.
struct RecordRow {
    MessageId id;
    Timestamp stagedAt;
    QString kind; ///< as the store writes it
    QString type;
    int version = 1;
    QString tenant;
    QString destination; ///< empty: no route yet
    OutboxState state;
};

/// Where a page ends and the next one begins: records older than this id. A value to hand back.
struct RecordCursor {
    MessageId before;
};

struct RecordFilter {
    QSet<StateKind> states; ///< empty: all
    QString type;           ///< exact; empty: all
    QString tenant;         ///< exact; empty: all
    QString destination;    ///< exact; empty: all
};

/// Newest first.
struct RecordPage {
    QList<RecordRow> rows;
    std::optional<RecordCursor> next; ///< nothing: this was the last page
};

/// One failed attempt as the ledger keeps it. The happy path writes none.
struct AttemptRow {
    int number = 1;
    Timestamp startedAt;
    Timestamp endedAt;
    QString worker;
    FailureCause cause = FailureCause::target_error;
    QString summary;
};

/// One audited replay (S23).
struct ReplayRow {
    Timestamp at;
    QString actor;
    QString reason;
    FailureCause cause = FailureCause::rejected; ///< what had failed
    QString failure;
};

/// Everything about one record, payload included.
struct RecordDetail {
    Message message;
    Timestamp stagedAt;
    QString destination;
    OutboxState state;
    QString worker;             ///< who processes or dispatched it; empty: nobody
    Timestamp claimedAt;        ///< of the running or the last attempt, where known; epoch: not
    QList<AttemptRow> attempts; ///< oldest first
    QList<ReplayRow> replays;   ///< oldest first
    Timestamp readAt;           ///< database clock
};

/// Dead letters that failed alike.
struct DeadLetterGroup {
    FailureCause cause = FailureCause::rejected;
    QString type;
    int version = 1;
    QString destination;
    std::int64_t count = 0;
    Timestamp firstFailedAt;
    Timestamp lastFailedAt;
    QString sampleReason;
};

/// What became of one record of a replay request.
struct ReplayVerdict {
    MessageId id;
    bool replayed = false;
    QString why; ///< when not: "not a dead letter", "no such record"
};

struct ReplayResult {
    QList<ReplayVerdict> verdicts;
    QString actor; ///< the database identity that the audit kept
};

/// One thing that was looked at in a store, and how it was found.
struct DoctorCheck {
    enum class Level { ok, warning, problem };
    QString name; ///< stable, such as "states"
    Level level = Level::ok;
    QString text; ///< what was found, in words
    QString hint; ///< what to do; empty when nothing is to be done
};

/// The state of health of a store.
struct DoctorReport {
    QString role; ///< the database identity that looked
    QList<DoctorCheck> checks;
};

/// May dispatch and the queries use the store?
enum class StoreCondition {
    connecting, ///< not known yet
    ready,
    unavailable, ///< down, starting, refusing: see the reason
};

struct StoreStatus {
    StoreCondition condition = StoreCondition::connecting;
    QString store;         ///< "orders @ db-prod", never a password
    QString role;          ///< the database identity; empty while not connected
    QString reason;        ///< when unavailable: what is so, in words
    bool mayReplay = true; ///< false: the role lacks the right, or the store is a read-only standby
    std::int64_t sinceUnixMilliseconds = 0;
};

/// This computer's own dispatcher.
struct DispatcherStatus {
    enum class Phase { off, starting, running, stopping };
    Phase phase = Phase::off;
    int inFlight = 0;
    QStringList destinations;  ///< names it delivers to
    std::int64_t accepted = 0; ///< since it was switched on
    std::int64_t failed = 0;
    std::int64_t refused = 0; ///< late outcomes that the fence refused (S8)
};

/// Why an operation gave no answer.
struct OperationError {
    enum class Kind { unavailable, timeout, refused, not_found, invalid };
    Kind kind = Kind::unavailable;
    QString text; ///< one sentence that names the thing and the way out
};

} // namespace outbox::api
