// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/catalogue.h"
#include "dispatch/batch.h"
#include "dispatch/lease_table.h"

#include <QTimer>

#include <deque>
#include <memory>
#include <vector>

namespace outbox::dispatch {

/// Runs one destination in its thread: feeds it at most as many deliveries as it wants in flight, drops what lost
/// its lease before it was sent, and hands outcomes on. Knows ports, no concrete destination.
class DeliveryHost final : public Service, private delivery::OutcomeSink {
    Q_OBJECT
public:
    struct Settings {
        milliseconds answer{60000}; ///< how long an answer is awaited; the lease is extended meanwhile
        milliseconds grace{10000};  ///< how long a stop waits for answers
    };

    DeliveryHost(int index, delivery::DestinationEntry entry, Settings settings, LeaseTable &leases,
                 const Clock &clock);
    ~DeliveryHost() override;

    /// Queued call from the claim loop.
    void take(std::shared_ptr<ClaimedBatch> batch);

Q_SIGNALS:
    /// Outcomes in the order in which they came. The vector is the receiver's to move from.
    void settledMany(const std::shared_ptr<std::vector<outbox::dispatch::Outcome>> &outcomes);
    /// That many records of a lease are not ours any more; nothing is to be written for them.
    void abandoned(int destination, qint64 fence, int records);

protected:
    void onStart() override;
    void onStop() override;

private:
    struct Waiting {
        std::shared_ptr<ClaimedBatch> batch;
        std::size_t place = 0;
    };
    struct InFlight {
        WorkerId worker;
        store::Held held;
        int attempt = 0;
        Instant started;
        bool used = false;
    };

    void settled(delivery::Ticket ticket, delivery::DeliveryOutcome outcome) override;
    void flush() override;
    void pump();
    void giveBackWaiting();
    void giveUp();
    void finishWhenQuiet();
    delivery::Ticket open(const Waiting &waiting);

    const int index_;
    const delivery::DestinationEntry entry_;
    const Settings settings_;
    LeaseTable &leases_;
    const Clock &clock_;
    std::unique_ptr<delivery::Destination> destination_;
    std::deque<Waiting> waiting_;
    std::vector<InFlight> slots_;
    std::vector<std::size_t> freeSlots_;
    int inFlight_ = 0;
    std::shared_ptr<std::vector<Outcome>> outcomes_;
    bool pumping_ = false;
    bool flushPosted_ = false;
    bool destinationStopped_ = false;
    bool gaveUp_ = false;
    QTimer grace_;
};

} // namespace outbox::dispatch
