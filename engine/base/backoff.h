// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "base/time.h"

namespace outbox {

/// Bounded exponential backoff with full jitter (S12): the wait before try n+1 is evenly spread over
/// (0, min(cap, base * 2^(n-1))]. Full jitter spreads a crowd of failed messages over the whole span.
struct Backoff {
    milliseconds base{1000};
    milliseconds cap{300000};

    /// The longest wait after `failures` failures in a row (1 or more). Saturates at cap.
    [[nodiscard]] milliseconds ceiling(int failures) const;
    /// A wait in [1 ms, ceiling(failures)].
    [[nodiscard]] milliseconds wait(int failures, Random &random) const;
};

} // namespace outbox
