// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/amqp_close.h"

#include <algorithm>

namespace outbox::destination {

using delivery::DeliveryOutcome;
using delivery::Failed;

namespace {

FailureCause causeOfClose(int code)
{
    switch (code) {
    case 200:
    case 311:
    case 320:
    case 403:
    case 404:
    case 406: return FailureCause::unreachable; // not these messages' fault
    default: return FailureCause::target_error;
    }
}

} // namespace

std::vector<DeliveryOutcome> outcomesOfClose(const Closed &closed, const std::vector<Unconfirmed::Entry> &open)
{
    const QString summary = QStringLiteral("the broker closed the channel: %1 %2").arg(closed.code).arg(closed.text);
    std::vector<DeliveryOutcome> outcomes(open.size(), Failed{{causeOfClose(closed.code), summary, std::nullopt}});
    if (closed.code == 311 || closed.code == 406) {
        const auto largest = std::ranges::max_element(open, {}, &Unconfirmed::Entry::size);
        if (largest != open.end())
            outcomes[static_cast<std::size_t>(largest - open.begin())] =
                Failed{{FailureCause::rejected, summary, std::nullopt}};
    }
    return outcomes;
}

} // namespace outbox::destination
