// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <QTimer>

#include <chrono>

namespace outbox::test {

/// Beats in the GUI thread every few milliseconds and knows the longest time in which it could not: how long
/// the window was blocked at worst. Tells it when it ends; reported, never asserted.
class Heartbeat final {
public:
    explicit Heartbeat(const QString &what);
    Heartbeat(const Heartbeat &) = delete;
    Heartbeat &operator=(const Heartbeat &) = delete;
    ~Heartbeat();

    [[nodiscard]] std::chrono::milliseconds worst() const { return std::chrono::milliseconds{worst_}; }

private:
    static constexpr int period = 5;

    QString what_;
    QTimer timer_;
    QElapsedTimer since_;
    qint64 worst_ = 0;
};

} // namespace outbox::test
