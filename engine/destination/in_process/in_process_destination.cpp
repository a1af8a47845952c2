// SPDX-License-Identifier: Apache-2.0
#include "destination/in_process/in_process_destination.h"

#include "destination/deadlines.h"
#include "destination/mailbox.h"

#include <atomic>

namespace outbox::destination {

using delivery::Delivery;
using delivery::DeliveryOutcome;
using delivery::Failed;
using delivery::NotTried;
using delivery::Ticket;

namespace in_process {

struct Mailbox : destination::Mailbox<std::pair<Ticket, DeliveryOutcome>> {
    using destination::Mailbox<std::pair<Ticket, DeliveryOutcome>>::Mailbox;
};

} // namespace in_process

namespace {

DeliveryOutcome noAnswer(const QString &summary) { return Failed{{FailureCause::target_error, summary, std::nullopt}}; }

} // namespace

struct Completion::Answer {
    std::shared_ptr<in_process::Mailbox> mailbox;
    Ticket ticket;
    std::atomic<bool> given{false};

    Answer(std::shared_ptr<in_process::Mailbox> box, Ticket which) : mailbox(std::move(box)), ticket(which) {}
    Answer(const Answer &) = delete;
    Answer &operator=(const Answer &) = delete;
    ~Answer() { give(noAnswer(QStringLiteral("The handler gave no answer."))); }
    void give(DeliveryOutcome outcome)
    {
        if (!given.exchange(true))
            mailbox->put({ticket, std::move(outcome)});
    }
};

Completion::Completion(std::shared_ptr<in_process::Mailbox> mailbox, Ticket ticket)
    : answer_(std::make_shared<Answer>(std::move(mailbox), ticket))
{
}

void Completion::operator()(DeliveryOutcome outcome) const { answer_->give(std::move(outcome)); }

InProcessDestination::InProcessDestination(delivery::OutcomeSink &sink, Handler handler, int concurrency)
    : Destination(sink), handler_(std::move(handler)), concurrency_(std::max(1, concurrency))
{
}

InProcessDestination::InProcessDestination(delivery::OutcomeSink &sink, AsyncHandler handler, int concurrency)
    : Destination(sink), asyncHandler_(std::move(handler)), concurrency_(std::max(1, concurrency)),
      mailbox_(std::make_shared<in_process::Mailbox>(this, [this] { collect(); }))
{
    tick_.setInterval(deadlineTick);
    connect(&tick_, &QTimer::timeout, this, &InProcessDestination::expire);
}

InProcessDestination::~InProcessDestination()
{
    if (mailbox_)
        mailbox_->close();
}

void InProcessDestination::deliver(std::vector<Delivery> deliveries)
{
    for (auto &each : deliveries) {
        if (!isRunning())
            sink().settled(each.ticket, NotTried{QStringLiteral("shutting down")});
        else if (each.deadline.passed(clock_.now()))
            sink().settled(each.ticket, NotTried{QStringLiteral("its time was over before its turn came")});
        else if (handler_)
            call(each);
        else
            callAsync(std::move(each));
    }
    sink().flush();
}

void InProcessDestination::call(const Delivery &delivery)
{
    try {
        sink().settled(delivery.ticket, handler_(delivery.message, delivery.attempt));
    } catch (...) {
        sink().settled(delivery.ticket, noAnswer(QStringLiteral("The handler threw an exception.")));
    }
}

void InProcessDestination::callAsync(Delivery delivery)
{
    inFlight_.emplace(delivery.ticket.value(), delivery.deadline.end());
    if (!tick_.isActive())
        tick_.start();
    Completion completion(mailbox_, delivery.ticket);
    try {
        asyncHandler_(delivery.message, delivery.attempt, completion);
    } catch (...) {
        completion(noAnswer(QStringLiteral("The handler threw an exception.")));
    }
}

void InProcessDestination::collect()
{
    for (auto &[ticket, outcome] : mailbox_->take())
        if (inFlight_.erase(ticket.value()) != 0) // else it was settled at its deadline
            sink().settled(ticket, std::move(outcome));
    sink().flush();
    endIfIdle();
}

void InProcessDestination::expire()
{
    const auto now = clock_.now();
    std::vector<Ticket> due; // first collected: the sink may hand out new deliveries from within
    for (const auto &[ticket, end] : inFlight_)
        if (isDue(end, now))
            due.emplace_back(ticket);
    for (const Ticket ticket : due) {
        inFlight_.erase(ticket.value());
        sink().settled(ticket, Failed{{FailureCause::timeout, QStringLiteral("The handler gave no answer in time."),
                                       std::nullopt}});
    }
    sink().flush();
    endIfIdle();
}

void InProcessDestination::onStop() { endIfIdle(); }

void InProcessDestination::endIfIdle()
{
    if (!inFlight_.empty())
        return;
    tick_.stop();
    if (isStopping())
        finishStop();
}

} // namespace outbox::destination
