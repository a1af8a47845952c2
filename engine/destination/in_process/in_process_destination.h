// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <unordered_map>

namespace outbox::destination {

namespace in_process {
struct Mailbox;
}

/// How an asynchronous handler answers: call it once, from any thread; later calls change nothing. When
/// the last copy goes away uncalled, the delivery fails as target_error.
class Completion {
public:
    Completion(std::shared_ptr<in_process::Mailbox> mailbox, delivery::Ticket ticket);
    void operator()(delivery::DeliveryOutcome outcome) const;

private:
    struct Answer;
    std::shared_ptr<Answer> answer_;
};

/// Delivers to a function of the embedding application, in the destination's own thread (S6). The
/// handler's return is the boundary: Accepted only when the effect is committed (S11). It may see a
/// message more than once and tells by its id (S10). An exception out of it fails the delivery as
/// target_error; the text of the exception is not kept, since it may quote the message.
class InProcessDestination final : public delivery::Destination {
    Q_OBJECT
public:
    using Handler = std::function<delivery::DeliveryOutcome(const Message &message, int attempt)>;
    using AsyncHandler = std::function<void(const Message &message, int attempt, Completion completion)>;

    /// Calls the handler one message after another; the deadline is looked at before each call only.
    InProcessDestination(delivery::OutcomeSink &sink, Handler handler, int concurrency = 1024);
    /// The handler starts the work and returns; what is not answered by the deadline fails as timeout.
    InProcessDestination(delivery::OutcomeSink &sink, AsyncHandler handler, int concurrency = 64);
    ~InProcessDestination() override;

    [[nodiscard]] int concurrency() const override { return concurrency_; }
    void deliver(std::vector<delivery::Delivery> deliveries) override;

protected:
    void onStart() override {}
    void onStop() override;

private:
    void call(const delivery::Delivery &delivery);
    void callAsync(delivery::Delivery delivery);
    void collect();
    void expire();
    void endIfIdle();

    Handler handler_;
    AsyncHandler asyncHandler_;
    int concurrency_;
    SteadyClock clock_;
    std::shared_ptr<in_process::Mailbox> mailbox_;
    std::unordered_map<std::uint64_t, Instant> inFlight_;
    QTimer tick_;
};

} // namespace outbox::destination
