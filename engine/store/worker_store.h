// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "domain/failure.h"
#include "domain/ids.h"
#include "domain/message.h"
#include "store/connection.h"

#include <QHash>

#include <optional>
#include <vector>

namespace outbox::store {

/// One lane and where it leads.
struct Lane {
    LaneId id;
    DestinationName destination;
    MessageType type;
    SchemaVersion version{1};
};

/// How much to take from one lane, and from which point on.
struct LaneAsk {
    LaneId lane;
    int most = 0;
    std::optional<Timestamp> mark; ///< the greatest next attempt of the last claim; nothing: from the beginning
};

/// A record under our lease.
struct ClaimedRecord {
    Message message;
    LaneId lane;
    int attempt = 1;
    Timestamp nextAttemptAt; ///< where it stood in the queue
};

/// What one claim took. All of it shares one fence and one expiry.
struct Claim {
    Fence fence;
    std::vector<ClaimedRecord> records; ///< empty: nothing was due
};

/// Names one record under one lease.
struct Held {
    Fence fence;
    MessageId id;
};

/// A failed attempt to be put back or ended.
struct FailedAttempt {
    Held held;
    FailureCause cause = FailureCause::target_error;
    QString summary;
    milliseconds took{0};
    milliseconds delay{0}; ///< for retry
    std::optional<milliseconds>
        horizon; ///< for retry: how long after its first failed claim it is tried; nothing: for ever
};

/// Outcomes that the fence refused (S8): those records belong to somebody else now.
using RefusedIds = std::vector<MessageId>;

/// What became of failed attempts that were to come back.
struct RetryFates {
    RefusedIds refused;
    std::size_t dead = 0; ///< would have come back after their retry horizon, and are dead letters instead (S12)
};

/// What going to sleep told.
struct Doze {
    bool quiet = true;                     ///< no staging transaction is under way
    std::optional<milliseconds> nextDueIn; ///< may be negative; nothing: the lanes are empty
};

/// The worker's side of the store as typed calls, each one statement and one transaction of its own (S7).
/// Thread: that of the connection.
class WorkerStore {
public:
    explicit WorkerStore(Connection &connection) : connection_(connection) {}

    Result<WorkerId, StoreError> registerWorker(const QString &name, const QString &version,
                                                const QStringList &destinations);
    Result<Done, StoreError> unregisterWorker(WorkerId worker);
    /// False: the store does not know this worker; register again.
    Result<bool, StoreError> heartbeat(WorkerId worker);
    /// Sets all of them at once (pattern, destination): the longest pattern wins whatever their order.
    Result<Done, StoreError> setRoutes(const QList<std::pair<QString, QString>> &routes);
    /// Fails with Unavailable{no_rights} when the role may not claim.
    Result<Done, StoreError> checkRights();

    Result<std::vector<Lane>, StoreError> lanes(const QStringList &destinations);
    Result<Claim, StoreError> claim(WorkerId worker, milliseconds lease, const std::vector<LaneAsk> &asks);
    /// From whatever lanes these destinations have now, at most `free[d]` records for destination d and about `batch`
    /// in all.
    Result<Claim, StoreError> claimAny(WorkerId worker, milliseconds lease, const QHash<QString, int> &free, int batch);

    Result<RefusedIds, StoreError> complete(WorkerId worker, const std::vector<Held> &records);
    Result<RetryFates, StoreError> retry(WorkerId worker, const std::vector<FailedAttempt> &attempts);
    Result<RefusedIds, StoreError> deadLetter(WorkerId worker, const std::vector<FailedAttempt> &attempts);
    Result<RefusedIds, StoreError> release(WorkerId worker, const std::vector<Held> &records);

    /// Gives the fences that are not ours any more.
    Result<std::vector<Fence>, StoreError> extendLeases(WorkerId worker, const std::vector<Fence> &fences,
                                                        milliseconds lease);

    Result<Doze, StoreError> doze(WorkerId worker, const std::vector<LaneId> &lanes);
    Result<Done, StoreError> awake(WorkerId worker);

private:
    Result<Claim, StoreError> readClaim(const char *statement, const QVariantList &parameters);
    Result<RefusedIds, StoreError> readRefused(const char *statement, const QVariantList &parameters);

    Connection &connection_;
};

} // namespace outbox::store
