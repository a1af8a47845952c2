// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "domain/ids.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace outbox {

/// A fact that the application publishes; cites its Event record (S5).
struct IntegrationEvent {
    QString eventRecord;
    friend bool operator==(const IntegrationEvent &, const IntegrationEvent &) = default;
};
/// An order to the next step of a journey.
struct JourneyStepCommand {
    friend bool operator==(const JourneyStepCommand &, const JourneyStepCommand &) = default;
};
/// A call to a provider outside.
struct ProviderSideEffect {
    friend bool operator==(const ProviderSideEffect &, const ProviderSideEffect &) = default;
};

/// The kind decides ownership and transport (S5).
using MessageKind = std::variant<IntegrationEvent, JourneyStepCommand, ProviderSideEffect>;

/// "integration_event", "journey_step_command" or "provider_side_effect", as the store writes it.
std::string_view kindName(const MessageKind &kind);
/// The kind of that name, with the Event record where it has one. Nothing for any other name.
std::optional<MessageKind> kindFromName(std::string_view name, const QString &eventRecord);

/// The stable name of a message's contract, such as "orders.placed".
using MessageType = Strong<struct MessageTypeTag, QString>;
/// The explicit version of that contract, 1 or more (S17).
using SchemaVersion = Strong<struct SchemaVersionTag, std::int32_t>;

/// One name and value that travels with the message.
using Header = std::pair<QString, QString>;

/// The immutable part of a record: what was staged and will be delivered, never changed (S4, S23).
struct Message {
    MessageId id;
    MessageKind kind;
    MessageType type;
    SchemaVersion version{1};
    Timestamp occurredAt;
    QString tenant;      ///< empty: none
    QString orderingKey; ///< what shares it is delivered in order; empty: no order
    QByteArray payload;  ///< JSON text in UTF-8, the very bytes that were staged
    QList<Header> headers;
};

} // namespace outbox
