// SPDX-License-Identifier: Apache-2.0
#include "contract/outcomes.h"

#include "base/result.h"

#include <algorithm>

namespace outbox::contract {

using delivery::Accepted;
using delivery::DeliveryOutcome;
using delivery::Failed;
using delivery::NotTried;

void Outcomes::settled(delivery::Ticket ticket, DeliveryOutcome outcome)
{
    ++unflushed_;
    if (!byTicket_.emplace(ticket.value(), std::move(outcome)).second)
        ++doubled_;
}

int Outcomes::accepted() const
{
    return static_cast<int>(std::ranges::count_if(
        byTicket_, [](const auto &each) { return std::holds_alternative<Accepted>(each.second); }));
}

const DeliveryOutcome *Outcomes::of(std::uint64_t ticket) const
{
    const auto found = byTicket_.find(ticket);
    return found == byTicket_.end() ? nullptr : &found->second;
}

const Failure *Outcomes::failureOf(std::uint64_t ticket) const
{
    const auto *outcome = of(ticket);
    const auto *failed = outcome ? std::get_if<Failed>(outcome) : nullptr;
    return failed ? &failed->failure : nullptr;
}

bool Outcomes::isAccepted(std::uint64_t ticket) const
{
    const auto *outcome = of(ticket);
    return outcome && std::holds_alternative<Accepted>(*outcome);
}

bool Outcomes::isNotTried(std::uint64_t ticket) const
{
    const auto *outcome = of(ticket);
    return outcome && std::holds_alternative<NotTried>(*outcome);
}

QString Outcomes::text(std::uint64_t ticket) const
{
    const auto *outcome = of(ticket);
    if (!outcome)
        return QStringLiteral("not settled");
    return std::visit(overload{[](const Accepted &) { return QStringLiteral("accepted"); },
                               [](const NotTried &untried) { return QStringLiteral("not tried: ") + untried.why; },
                               [](const Failed &failed) {
                                   const auto cause = causeName(failed.failure.cause);
                                   return QStringLiteral("%1: %2").arg(
                                       QString::fromUtf8(cause.data(), static_cast<qsizetype>(cause.size())),
                                       failed.failure.summary);
                               }},
                      *outcome);
}

} // namespace outbox::contract
