// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/state.h"

#include <optional>
#include <variant>

namespace outbox {

// Every allowed transition, as a function from one state to another: what is not here does not
// compile (S21). Pending to Processing; Processing to Dispatched, Pending or DeadLetter; audited
// replay DeadLetter to Pending. The store's functions of the same names do the same to rows.

[[nodiscard]] Processing claim(const Pending &pending, const Lease &lease);
[[nodiscard]] Dispatched complete(const Processing &processing, Timestamp at);
/// The attempt is used up; it comes back at `next`.
[[nodiscard]] Pending retry(const Processing &processing, Timestamp next);
/// Given back untried: the attempt is not used up.
[[nodiscard]] Pending release(const Processing &processing, Timestamp at);
[[nodiscard]] DeadLetter deadLetter(const Processing &processing, const Failure &failure, Timestamp at);
/// Attempts start over; identity and payload stay (S22, S23).
[[nodiscard]] Pending replay(const DeadLetter &dead, Timestamp at);

/// The declared limit of automatic retry.
struct RetryPolicy {
    int attempts = 10;                   ///< all attempts, the first included; 1 or more
    std::optional<milliseconds> horizon; ///< from the first failed claim on, waiting not counted; nothing: no end
};

/// What has to happen after a failed attempt.
struct RetryLater {};
struct GiveUp {};
using AfterFailure = std::variant<RetryLater, GiveUp>;

/// Permanent failures and used-up attempts end; everything else is tried again (S13).
[[nodiscard]] AfterFailure afterFailure(const Processing &processing, const Failure &failure,
                                        const RetryPolicy &policy);
[[nodiscard]] AfterFailure afterFailure(int attempt, FailureCause cause, const RetryPolicy &policy);

} // namespace outbox
