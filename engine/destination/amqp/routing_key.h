// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "domain/message.h"

#include <QByteArray>
#include <QString>

#include <variant>
#include <vector>

namespace outbox::destination {

/// How a message's routing key is made: fixed text with the placeholders {type}, {version}, {tenant} and
/// {kind}. The default is the message's type.
class RoutingKey {
public:
    RoutingKey();
    /// The error is a sentence that names what was not understood.
    static Result<RoutingKey, QString> parse(const QString &pattern);

    [[nodiscard]] QByteArray of(const Message &message) const;

private:
    enum class Field { type, version, tenant, kind };
    using Part = std::variant<QByteArray, Field>;

    explicit RoutingKey(std::vector<Part> parts) : parts_(std::move(parts)) {}
    static QByteArray text(Field field, const Message &message);

    std::vector<Part> parts_;
};

} // namespace outbox::destination
