// SPDX-License-Identifier: Apache-2.0
#include "domain/failure.h"

#include <array>
#include <utility>

namespace outbox {

namespace {

constexpr std::array<std::pair<FailureCause, std::string_view>, 8> names{{
    {FailureCause::rejected, "rejected"},
    {FailureCause::undeliverable, "undeliverable"},
    {FailureCause::timeout, "timeout"},
    {FailureCause::unreachable, "unreachable"},
    {FailureCause::busy, "busy"},
    {FailureCause::target_error, "target-error"},
    {FailureCause::lease_expired, "lease-expired"},
    {FailureCause::no_reader, "no-reader"},
}};

} // namespace

std::string_view causeName(FailureCause cause)
{
    for (const auto &[each, name] : names)
        if (each == cause)
            return name;
    return "target-error";
}

std::optional<FailureCause> causeFromName(std::string_view name)
{
    for (const auto &[cause, each] : names)
        if (each == name)
            return cause;
    return std::nullopt;
}

bool isPermanent(FailureCause cause) { return cause == FailureCause::rejected || cause == FailureCause::undeliverable; }

} // namespace outbox
