// SPDX-License-Identifier: Apache-2.0
#include "base/backoff.h"

#include <algorithm>

namespace outbox {

milliseconds Backoff::ceiling(int failures) const
{
    milliseconds span = base;
    for (int i = 1; i < failures && span < cap; ++i)
        span = span > cap / 2 ? cap : span * 2;
    return std::clamp(span, milliseconds{1}, std::max(cap, milliseconds{1}));
}

milliseconds Backoff::wait(int failures, Random &random) const
{
    const auto most = ceiling(failures);
    const auto drawn = static_cast<milliseconds::rep>(random.unit() * static_cast<double>(most.count()));
    return std::clamp(milliseconds{drawn + 1}, milliseconds{1}, most);
}

} // namespace outbox
