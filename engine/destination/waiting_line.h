// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"

#include <deque>
#include <vector>

namespace outbox::destination {

/// Deliveries that have not been sent yet, in the order they came.
class WaitingLine {
public:
    void add(delivery::Delivery delivery, Instant now) { line_.push_back({std::move(delivery), now}); }
    [[nodiscard]] bool isEmpty() const { return line_.empty(); }
    /// Precondition: not empty.
    [[nodiscard]] delivery::Delivery takeFirst();
    /// It could not be sent now after all: it is the first again.
    void putBack(delivery::Delivery delivery, Instant now) { line_.push_front({std::move(delivery), now}); }
    /// Takes out whose deadline is due, and, while nothing can be sent, who has waited for longer than
    /// `patience`.
    [[nodiscard]] std::vector<delivery::Ticket> takeOverdue(Instant now, bool canSend, milliseconds patience);
    [[nodiscard]] std::vector<delivery::Ticket> takeAll();

private:
    struct Waiting {
        delivery::Delivery delivery;
        Instant since;
    };
    std::deque<Waiting> line_;
};

} // namespace outbox::destination
