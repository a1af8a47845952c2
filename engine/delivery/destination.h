// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/service.h"
#include "base/time.h"
#include "domain/failure.h"
#include "domain/message.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace outbox::delivery {

/// The target boundary took the message: publisher confirm, broker ack, 2xx, committed effect (S11).
struct Accepted {};
/// The attempt says something about this message at this destination and is used up.
struct Failed {
    Failure failure;
};
/// Nothing was tried: shutting down before it was sent, or the connection is not up yet. No attempt
/// is used up; the message goes back to pending.
struct NotTried {
    QString why;
};

/// How one delivery ended. Whether a Failed is tried again is not the destination's business.
using DeliveryOutcome = std::variant<Accepted, Failed, NotTried>;

/// Names one delivery between dispatch and a destination; unique while it is in flight.
using Ticket = Strong<struct TicketTag, std::uint64_t>;

/// One message on its way out.
struct Delivery {
    Ticket ticket;
    Message message;
    int attempt = 1;   ///< 1 for the first
    Deadline deadline; ///< after it nobody can use the answer: settle as Failed{timeout} or NotTried before
};

/// Where outcomes go. Called in the destination's thread, exactly once a ticket.
class OutcomeSink {
public:
    OutcomeSink() = default;
    OutcomeSink(const OutcomeSink &) = delete;
    OutcomeSink &operator=(const OutcomeSink &) = delete;
    virtual ~OutcomeSink() = default;
    virtual void settled(Ticket ticket, DeliveryOutcome outcome) = 0;
    /// All that could be settled in one go has been: a good moment to write outcomes.
    virtual void flush() {}
};

/// The port that every transport implements: messages and deadlines in, outcomes out, no store in
/// sight (S6, S7). It lives in a thread with an event loop of its own, in which everything here is
/// called. Delivery is asynchronous: deliver() never blocks on the network, and calls settled() for
/// each ticket when its outcome is known, in any order, also from within deliver().
///
/// A lost connection settles what was sent and not confirmed as Failed{unreachable}, and what was
/// never sent as NotTried; the destination reconnects by itself with backoff. stop() settles
/// everything in flight, within the deadlines it was given, before `stopped`.
class Destination : public Service {
    Q_OBJECT
public:
    explicit Destination(OutcomeSink &sink, QObject *parent = nullptr) : Service(parent), sink_(sink) {}

    /// How many deliveries it wants in flight at the most; 1 or more. Constant.
    [[nodiscard]] virtual int concurrency() const = 0;
    /// Takes the deliveries; in flight stay at most concurrency() (dispatch sees to it).
    virtual void deliver(std::vector<Delivery> deliveries) = 0;

protected:
    [[nodiscard]] OutcomeSink &sink() { return sink_; }

private:
    OutcomeSink &sink_;
};

} // namespace outbox::delivery
