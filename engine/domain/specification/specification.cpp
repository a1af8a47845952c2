// SPDX-License-Identifier: Apache-2.0
#include "domain/specification/specification.h"

#include "base/result.h"

namespace outbox {

using Name = std::string_view;

std::string_view guaranteeName(const DeliveryGuarantee &guarantee)
{
    return std::visit(overload{[](const AtLeastOnce &) { return Name("at_least_once"); },
                               [](const BestEffort &) { return Name("best_effort"); }},
                      guarantee);
}

std::string_view duplicatesName(const DuplicateBehaviour &duplicates)
{
    return std::visit(overload{[](const DropsByMessageId &) { return Name("message_id"); },
                               [](const DropsByBusinessKey &) { return Name("business_key"); }},
                      duplicates);
}

std::string_view orderingName(const Ordering &ordering)
{
    return std::visit(
        overload{[](const Unordered &) { return Name("none"); }, [](const OrderedPerKey &) { return Name("per_key"); }},
        ordering);
}

std::string_view deadHeadName(DeadHead rule)
{
    switch (rule) {
    case DeadHead::hold: return "hold";
    case DeadHead::free: return "free";
    }
    return {};
}

std::string_view statusName(const SpecificationStatus &status)
{
    return std::visit(overload{[](const Draft &) { return Name("draft"); },
                               [](const Active &) { return Name("active"); },
                               [](const Retired &) { return Name("retired"); }},
                      status);
}

bool isOverdue(const Draft &draft, QDate today) { return draft.decideBy < today; }

} // namespace outbox
