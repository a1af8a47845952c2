// SPDX-License-Identifier: Apache-2.0
#include "domain/specification/delivery_target.h"

#include <algorithm>
#include <cmath>

namespace outbox {

namespace {

template <typename Quantity>
Limit<Quantity> limitOf(const std::optional<Quantity> &stated, const Quantity &derived)
{
    return stated ? Limit<Quantity>{*stated, LimitOrigin::stated} : Limit<Quantity>{derived, LimitOrigin::derived};
}

} // namespace

Limits deriveLimits(const DeliveryTarget &target, const StatedLimits &stated)
{
    const double arriving = static_cast<double>(target.messagesAMinute) * static_cast<double>(target.within.count()) /
                            static_cast<double>(milliseconds(std::chrono::minutes(1)).count());
    const auto count = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(std::min(arriving, 1e15))));
    // Rounded, so that a target of 99.9 % allows 0.001 and not 0.0010000000000000009.
    const double late = std::round((1 - target.share.value()) * 1e9) / 1e9;
    return {limitOf(stated.pendingAge, target.within), limitOf(stated.pendingCount, count),
            limitOf(stated.failureRate, Share(late))};
}

} // namespace outbox
