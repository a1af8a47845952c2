// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenario.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

#include <memory>
#include <random>
#include <vector>

namespace outbox::chaos {

/// Several `outbox run` processes, killed at random and started anew at once.
class WorkerHerd : public QObject {
    Q_OBJECT
public:
    WorkerHerd(const Scenario &scenario, QStringList arguments, QObject *parent = nullptr);
    ~WorkerHerd() override;

    void start();
    /// No kill after this.
    void spare() { killing_.stop(); }
    /// Asks every worker to end and waits. False when one did not end in good order.
    bool stop();

    [[nodiscard]] const std::vector<Kill> &kills() const { return kills_; }
    /// Workers that ended without being asked or killed, in words.
    [[nodiscard]] const QStringList &surprises() const { return surprises_; }

private:
    void startOne(std::size_t place);
    void ended(std::size_t place, int code, QProcess::ExitStatus status);
    void killOne();

    Scenario scenario_;
    QStringList arguments_;
    std::vector<std::unique_ptr<QProcess>> workers_;
    std::vector<bool> doomed_;
    std::vector<Kill> kills_;
    QStringList surprises_;
    QTimer killing_;
    std::mt19937 chance_;
    bool stopping_ = false;
};

} // namespace outbox::chaos
