// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDebug>
#include <QString>

#include <ostream>

namespace outbox::destination {

/// A password or token. Nothing prints it: streaming it into a log or QDebug does not compile, and
/// reveal() is easy to search for.
class Secret {
public:
    Secret() = default;
    explicit Secret(QString value) : value_(std::move(value)) {}

    [[nodiscard]] bool isEmpty() const { return value_.isEmpty(); }
    /// The clear text, for the one call that needs it.
    [[nodiscard]] const QString &reveal() const { return value_; }

    friend QDebug operator<<(QDebug, const Secret &) = delete;
    friend std::ostream &operator<<(std::ostream &, const Secret &) = delete;

private:
    QString value_;
};

} // namespace outbox::destination
