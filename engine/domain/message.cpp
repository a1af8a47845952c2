// SPDX-License-Identifier: Apache-2.0
#include "domain/message.h"

#include "base/result.h"

namespace outbox {

std::string_view kindName(const MessageKind &kind)
{
    using namespace std::string_view_literals;
    return std::visit(overload{
                          [](const IntegrationEvent &) { return "integration_event"sv; },
                          [](const JourneyStepCommand &) { return "journey_step_command"sv; },
                          [](const ProviderSideEffect &) { return "provider_side_effect"sv; },
                      },
                      kind);
}

std::optional<MessageKind> kindFromName(std::string_view name, const QString &eventRecord)
{
    if (name == "integration_event")
        return IntegrationEvent{eventRecord};
    if (name == "journey_step_command")
        return JourneyStepCommand{};
    if (name == "provider_side_effect")
        return ProviderSideEffect{};
    return std::nullopt;
}

} // namespace outbox
