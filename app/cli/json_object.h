// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <concepts>
#include <optional>

namespace outbox::cli {

/// A JSON object on one line whose members keep their order, so that output is stable and payloads can be put in as
/// the very text they are.
class JsonObject {
public:
    JsonObject &add(const char *name, const QString &text);
    /// Whole numbers and truth values.
    template <std::integral N>
    JsonObject &add(const char *name, N value)
    {
        if constexpr (std::same_as<N, bool>)
            return raw(name, value ? QByteArrayLiteral("true") : QByteArrayLiteral("false"));
        else
            return raw(name, QByteArray::number(static_cast<qlonglong>(value)));
    }
    JsonObject &add(const char *name, const JsonObject &object) { return raw(name, object.text()); }
    JsonObject &add(const char *name, const QList<JsonObject> &objects);
    /// Null when there is none.
    JsonObject &addText(const char *name, const QString &textOrEmpty);
    JsonObject &addSeconds(const char *name, std::optional<double> seconds);
    /// Must be JSON.
    JsonObject &raw(const char *name, const QByteArray &json);

    [[nodiscard]] QByteArray text() const { return '{' + members_ + '}'; }

private:
    QByteArray members_;
};

/// With its quotes, escaped.
QByteArray jsonString(const QString &text);

} // namespace outbox::cli
