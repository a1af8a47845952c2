// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/strong.h"
#include "base/time.h"

#include <cstdint>
#include <optional>

namespace outbox {

/// A part of a whole, from 0 to 1.
using Share = Strong<struct ShareTag, double>;

/// What the use case wants of its deliveries: that share of the messages is accepted by the target within that time
/// of its commit, with that many messages a minute at the busiest.
struct DeliveryTarget {
    milliseconds within{0}; ///< more than nothing
    Share share{0};         ///< more than 0, less than 1: a target of all messages leaves no failure to alert on
    std::int64_t messagesAMinute = 0; ///< 1 or more
};

/// Where a Limit comes from.
enum class LimitOrigin { stated, derived };

/// An alert begins when the quantity is above it (S20).
template <typename Quantity>
struct Limit {
    Quantity most{};
    LimitOrigin origin = LimitOrigin::derived;
};

/// Limits that a specification states itself.
struct StatedLimits {
    std::optional<milliseconds> pendingAge;
    std::optional<std::int64_t> pendingCount;
    std::optional<Share> failureRate;
};

/// The Limit records of one specification: no constants, all of them follow from its target unless stated (S20).
struct Limits {
    Limit<milliseconds> pendingAge;   ///< age of the oldest pending record
    Limit<std::int64_t> pendingCount; ///< pending records
    Limit<Share> failureRate;         ///< failed attempts of all attempts
};

/// Age: the target's time, for an older record misses it. Count: what arrives in that time at the busiest, for more
/// cannot be a queue that moves in time. Failure rate: the share that the target allows to be late.
[[nodiscard]] Limits deriveLimits(const DeliveryTarget &target, const StatedLimits &stated);

} // namespace outbox
