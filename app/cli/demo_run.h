// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"
#include "demo/demo_workload.h"
#include "runtime/worker_runtime.h"

#include <QTimer>

namespace outbox::cli {

/// How a demo ended.
struct DemoReport {
    demo::DemoCounts counts;
    qint64 accepted = 0; ///< deliveries that the worker wrote as dispatched
    qint64 retried = 0;  ///< attempts that failed and were tried again
    qint64 deadLetters = 0;
    qint64 replayed = 0;
    qint64 missing = 0;  ///< committed and never received
    qint64 phantoms = 0; ///< received although rolled back
    [[nodiscard]] bool good() const { return missing == 0 && phantoms == 0; }
};

/// One demo from beginning to end: stages, delivers, waits for the dead letters, repairs the receiver, replays them,
/// and compares what was received with what was committed. What the settings file says of workers and destinations
/// plays no part. Needs an event loop; `ended` comes once.
class DemoRun final : public QObject {
    Q_OBJECT
public:
    DemoRun(const store::ServerAddress &server, int transactions);
    ~DemoRun() override;

    void start();
    /// Ends before the work is done.
    void stop();
    [[nodiscard]] DemoReport report() const;

Q_SIGNALS:
    void ended();

private:
    void look();
    void replayDeadLetters();
    [[nodiscard]] qint64 missing(const demo::DemoIds &ids, bool withBroken) const;

    const store::ServerAddress server_;
    demo::DemoWorkload workload_;
    std::unique_ptr<runtime::WorkerRuntime> worker_;
    QTimer look_;
    Deadline deadline_;
    bool staged_ = false;
    bool repaired_ = false;
    qint64 replayed_ = 0;
};

} // namespace outbox::cli
