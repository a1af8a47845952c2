// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "dispatch/batch.h"
#include "dispatch/counters.h"
#include "dispatch/lease_table.h"
#include "dispatch/worker_settings.h"
#include "store/store_user.h"

#include <memory>
#include <vector>

namespace outbox::dispatch {

/// Writes what deliveries came to, in batches, each fenced by worker and fence (S8). What a batch holds is what
/// came in while the one before was being written: small when idle, large when busy.
///
/// While the store is away outcomes wait here. One whose answer was lost is written again: the fence decides,
/// so writing it twice changes nothing.
class OutcomeWriter final : public store::StoreUser {
    Q_OBJECT
public:
    OutcomeWriter(store::ServerAddress address, WorkerSettings settings, LeaseTable &leases, WorkerCounters &counters,
                  Random random);

    /// Queued call from the destinations' threads.
    void add(const std::shared_ptr<std::vector<Outcome>> &outcomes);

Q_SIGNALS:
    /// That many of a destination's records are settled in the store; `dueIn` is the shortest delay among those put
    /// back, -1 for none.
    void written(int destination, int records, qint64 dueInMilliseconds);
    /// The destination took nothing: `accepted` false; or answered: true.
    void answered(int destination, bool tried);

protected:
    void onStart() override {}
    void onStop() override;
    void onConnected() override;
    void onDisconnected() override {}

private:
    struct Sorted {
        std::vector<store::Held> completed;
        std::vector<store::FailedAttempt> retries;
        std::vector<store::FailedAttempt> dead;
        std::vector<store::Held> untried;
    };

    /// How many records of each the fence refused, and how many retries ended instead of coming back.
    struct Refused {
        std::size_t completed = 0;
        std::size_t retries = 0;
        std::size_t ended = 0;
        std::size_t dead = 0;
        std::size_t untried = 0;
    };

    void scheduleFlush();
    void flush();
    bool writeSome();
    Sorted sort(const std::vector<Outcome> &outcomes);
    std::optional<store::StoreError> write(WorkerId worker, const Sorted &sorted, Refused &refused);
    void count(const Sorted &sorted, const Refused &refused);
    void finishWhenEmpty();

    const WorkerSettings settings_;
    LeaseTable &leases_;
    WorkerCounters &counters_;
    Random random_;
    std::vector<Outcome> waiting_;
    bool flushPosted_ = false;
    bool inDoubt_ = false; ///< the first of waiting_ may be written already
};

} // namespace outbox::dispatch
