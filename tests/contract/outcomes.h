// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"

#include <map>

namespace outbox::contract {

/// Keeps every outcome by its ticket, and notices what must not be.
class Outcomes final : public delivery::OutcomeSink {
public:
    void settled(delivery::Ticket ticket, delivery::DeliveryOutcome outcome) override;
    void flush() override { unflushed_ = 0; }

    [[nodiscard]] int count() const { return static_cast<int>(byTicket_.size()); }
    [[nodiscard]] int accepted() const;
    /// Settled more than once.
    [[nodiscard]] int doubled() const { return doubled_; }
    /// Settled since the last flush().
    [[nodiscard]] int unflushed() const { return unflushed_; }
    /// Nothing: not settled yet.
    [[nodiscard]] const delivery::DeliveryOutcome *of(std::uint64_t ticket) const;
    /// Nothing: not settled, or not as a failure.
    [[nodiscard]] const Failure *failureOf(std::uint64_t ticket) const;
    [[nodiscard]] bool isAccepted(std::uint64_t ticket) const;
    [[nodiscard]] bool isNotTried(std::uint64_t ticket) const;
    /// In words, for a test's message.
    [[nodiscard]] QString text(std::uint64_t ticket) const;

private:
    std::map<std::uint64_t, delivery::DeliveryOutcome> byTicket_;
    int doubled_ = 0;
    int unflushed_ = 0;
};

} // namespace outbox::contract
