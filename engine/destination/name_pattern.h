// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "domain/message.h"

#include <QByteArray>
#include <QString>

#include <variant>
#include <vector>

namespace outbox::destination {

/// How the name of the place that a message goes to is made, such as a routing key, a subject or a topic:
/// fixed text with the placeholders {type}, {version}, {tenant} and {kind}. The default is the type.
class NamePattern {
public:
    NamePattern();
    /// The error is a sentence that names what was not understood.
    static Result<NamePattern, QString> parse(const QString &pattern);

    [[nodiscard]] QByteArray of(const Message &message) const;

private:
    enum class Field { type, version, tenant, kind };
    using Part = std::variant<QByteArray, Field>;

    explicit NamePattern(std::vector<Part> parts) : parts_(std::move(parts)) {}
    static QByteArray text(Field field, const Message &message);

    std::vector<Part> parts_;
};

} // namespace outbox::destination
