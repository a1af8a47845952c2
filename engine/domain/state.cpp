// SPDX-License-Identifier: Apache-2.0
#include "domain/state.h"

#include "base/result.h"

namespace outbox {

StateKind kindOf(const OutboxState &state)
{
    return std::visit(overload{
                          [](const Pending &) { return StateKind::pending; },
                          [](const Processing &) { return StateKind::processing; },
                          [](const Dispatched &) { return StateKind::dispatched; },
                          [](const DeadLetter &) { return StateKind::dead_letter; },
                      },
                      state);
}

std::string_view stateName(StateKind kind)
{
    switch (kind) {
    case StateKind::pending: return "pending";
    case StateKind::processing: return "processing";
    case StateKind::dispatched: return "dispatched";
    case StateKind::dead_letter: return "dead_letter";
    }
    return "pending";
}

std::optional<StateKind> stateFromName(std::string_view name)
{
    for (const auto kind : {StateKind::pending, StateKind::processing, StateKind::dispatched, StateKind::dead_letter})
        if (stateName(kind) == name)
            return kind;
    return std::nullopt;
}

} // namespace outbox
