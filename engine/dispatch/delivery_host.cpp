// SPDX-License-Identifier: Apache-2.0
#include "dispatch/delivery_host.h"

#include "base/log.h"

namespace outbox::dispatch {

namespace {

/// Outcomes are handed on at least this often, so that writing overlaps with delivering.
constexpr std::size_t handOnAt = 250;

} // namespace

DeliveryHost::DeliveryHost(int index, delivery::DestinationEntry entry, Settings settings, LeaseTable &leases,
                           const Clock &clock)
    : index_(index), entry_(std::move(entry)), settings_(settings), leases_(leases), clock_(clock),
      outcomes_(std::make_shared<std::vector<Outcome>>()), grace_(this)
{
    grace_.setSingleShot(true);
    connect(&grace_, &QTimer::timeout, this, &DeliveryHost::giveUp);
}

DeliveryHost::~DeliveryHost() = default;

void DeliveryHost::onStart()
{
    destinationStopped_ = false;
    gaveUp_ = false;
    destination_ = entry_.make(*this);
    connect(destination_.get(), &Service::stopped, this, [this] {
        destinationStopped_ = true;
        finishWhenQuiet();
    });
    destination_->start();
}

void DeliveryHost::take(std::shared_ptr<ClaimedBatch> batch)
{
    for (std::size_t place = 0; place < batch->records.size(); ++place)
        waiting_.push_back({batch, place});
    if (!isRunning()) {
        giveBackWaiting();
        flush();
        return;
    }
    pump();
}

delivery::Ticket DeliveryHost::open(const Waiting &waiting)
{
    std::size_t slot = slots_.size();
    if (freeSlots_.empty()) {
        slots_.emplace_back();
    } else {
        slot = freeSlots_.back();
        freeSlots_.pop_back();
    }
    const auto &record = waiting.batch->records[waiting.place];
    slots_[slot] =
        InFlight{waiting.batch->worker, {waiting.batch->fence, record.message.id}, record.attempt, clock_.now(), true};
    ++inFlight_;
    return delivery::Ticket(slot);
}

void DeliveryHost::pump()
{
    if (pumping_ || !isRunning())
        return;
    pumping_ = true;
    const int most = destination_->concurrency();
    while (inFlight_ < most && !waiting_.empty()) {
        std::vector<delivery::Delivery> deliveries;
        deliveries.reserve(std::min(waiting_.size(), static_cast<std::size_t>(most - inFlight_)));
        const Instant now = clock_.now();
        const ClaimedBatch *seen = nullptr;
        bool ours = false;
        while (inFlight_ < most && !waiting_.empty()) {
            const Waiting next = std::move(waiting_.front());
            waiting_.pop_front();
            if (next.batch.get() != seen) {
                seen = next.batch.get();
                const auto ends = leases_.endOf(next.batch->fence);
                ours = ends && *ends > now;
            }
            if (!ours) {
                Q_EMIT abandoned(index_, next.batch->fence.value(), 1);
                continue;
            }
            const auto ticket = open(next);
            auto &record = next.batch->records[next.place];
            deliveries.push_back({ticket, std::move(record.message), record.attempt, Deadline(now + settings_.answer)});
        }
        if (!deliveries.empty())
            destination_->deliver(std::move(deliveries));
    }
    pumping_ = false;
}

void DeliveryHost::settled(delivery::Ticket ticket, delivery::DeliveryOutcome outcome)
{
    const auto slot = static_cast<std::size_t>(ticket.value());
    if (slot >= slots_.size() || !slots_[slot].used) {
        // After a stop that could not wait any longer, late answers find their record given back.
        if (!gaveUp_)
            log::error("delivery.settled-twice", {{"destination", entry_.name.value()}});
        return;
    }
    auto &entry = slots_[slot];
    entry.used = false;
    freeSlots_.push_back(slot);
    --inFlight_;
    outcomes_->push_back({index_, entry.worker, entry.held, entry.attempt,
                          std::chrono::duration_cast<milliseconds>(clock_.now() - entry.started), std::move(outcome)});
    if (outcomes_->size() >= handOnAt) {
        flush();
    } else if (!flushPosted_) {
        flushPosted_ = true;
        QMetaObject::invokeMethod(
            this,
            [this] {
                flushPosted_ = false;
                flush();
            },
            Qt::QueuedConnection);
    }
}

void DeliveryHost::flush()
{
    if (!outcomes_->empty())
        Q_EMIT settledMany(std::exchange(outcomes_, std::make_shared<std::vector<Outcome>>()));
    pump();
    finishWhenQuiet();
}

void DeliveryHost::giveBackWaiting()
{
    for (const auto &waiting : waiting_) {
        const auto &record = waiting.batch->records[waiting.place];
        outcomes_->push_back({index_,
                              waiting.batch->worker,
                              {waiting.batch->fence, record.message.id},
                              record.attempt,
                              milliseconds{0},
                              delivery::NotTried{QStringLiteral("the worker is stopping")}});
    }
    waiting_.clear();
}

void DeliveryHost::onStop()
{
    giveBackWaiting();
    grace_.start(settings_.grace);
    destination_->stop();
    flush();
}

void DeliveryHost::giveUp()
{
    // Their fate is unknown. That says nothing about the message, so it uses up no attempt; the consumer's receipt
    // suppresses a repetition.
    for (std::size_t slot = 0; slot < slots_.size(); ++slot)
        if (slots_[slot].used)
            settled(delivery::Ticket(slot), delivery::NotTried{QStringLiteral("no answer before the worker stopped")});
    gaveUp_ = true;
    destinationStopped_ = true;
    flush();
}

void DeliveryHost::finishWhenQuiet()
{
    if (!isStopping() || inFlight_ > 0 || !destinationStopped_ || !outcomes_->empty())
        return;
    grace_.stop();
    finishStop();
}

} // namespace outbox::dispatch
