// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dispatch/batch.h"
#include "dispatch/counters.h"
#include "dispatch/lane_book.h"
#include "dispatch/lease_table.h"
#include "dispatch/worker_settings.h"
#include "store/store_user.h"

#include <QTimer>

#include <memory>
#include <vector>

namespace outbox::dispatch {

/// What the claim loop must know of a destination.
struct ClaimTarget {
    DestinationName name;
    int window = 1; ///< records claimed and not settled at the most
};

/// Takes due records under a lease and hands them to the destinations; sleeps when there is nothing to do (S6, S7).
///
/// Busy: one claim after the other, as long as the destinations have room. Nothing due: a few looks in quick
/// succession, then it marks itself asleep in the store, makes sure that no commit slips through in between, and
/// waits for the notification of the next commit, for the next due time, or for the poll interval.
class ClaimLoop final : public store::StoreUser {
    Q_OBJECT
public:
    ClaimLoop(store::ServerAddress address, WorkerSettings settings, std::vector<ClaimTarget> targets,
              LeaseTable &leases, WorkerCounters &counters, const Clock &clock);

public Q_SLOTS:
    /// Records of a destination are settled: there is room again.
    void onWritten(int destination, int records, qint64 dueInMilliseconds);
    /// A destination that took nothing is asked again after a growing pause.
    void onAnswered(int destination, bool tried);
    /// From now on tell when nothing is due and nothing in flight.
    void reportDrained();

Q_SIGNALS:
    void claimed(int destination, const std::shared_ptr<outbox::dispatch::ClaimedBatch> &batch);
    /// Nothing is due in the lanes of our destinations, and nothing of ours is in flight.
    void drained();
    /// Asleep: nothing to do until woken. For tests and status.
    void fellAsleep();

protected:
    void onStart() override {}
    void onStop() override;
    void onConnected() override;
    void onDisconnected() override;

private:
    enum class Mood { busy, lingering, dozing };
    struct Room {
        int inFlight = 0;
        Instant heldUntil{};
        int pauses = 0;
    };

    void step();
    void claimFromLanes();
    void look();
    bool lookOnce(const QHash<QString, int> &free);
    void foundNothing();
    void doze();
    void wakeUp();
    void onNotification();
    void schedule(milliseconds delay);
    void failed(const store::StoreError &error);
    bool refreshLanes();
    bool handOut(store::Claim claim, Instant before);
    [[nodiscard]] int freeOf(std::size_t target, Instant now) const;
    [[nodiscard]] QHash<QString, int> freeRoom(Instant now) const;
    [[nodiscard]] bool allIdle() const;
    [[nodiscard]] milliseconds nextPause(Instant now) const;

    const WorkerSettings settings_;
    const std::vector<ClaimTarget> targets_;
    const QStringList names_;
    LeaseTable &leases_;
    WorkerCounters &counters_;
    const Clock &clock_;
    LaneBook book_;
    std::vector<Room> rooms_;
    Mood mood_ = Mood::busy;
    bool marked_ = false; ///< our sleep mark is set in the store
    bool lanesStale_ = true;
    bool tellDrained_ = false;
    int lingered_ = 0;
    std::optional<std::size_t> uncovered_; ///< open lanes that this search has not asked yet; nothing: it begins
    int restless_ = 0;                     ///< looks in a row that must be repeated soon
    bool notified_ = false;                ///< since the last look
    Instant restartedAt_{};
    milliseconds restartEvery_{1000};
    std::optional<Instant> dueAt_; ///< the next retry that we know of
    QTimer timer_;
};

} // namespace outbox::dispatch
