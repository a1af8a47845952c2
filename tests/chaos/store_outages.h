// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenario.h"

#include <QObject>
#include <QTimer>

#include <thread>

namespace outbox::test {
class TestCluster;
}

namespace outbox::chaos {

/// Restarts PostgreSQL while everybody works, evenly over the time of the run: a crash, an orderly shutdown, a
/// crash and so on. The restart runs in a thread of its own, so that workers are killed meanwhile, too.
class StoreOutages : public QObject {
    Q_OBJECT
public:
    StoreOutages(const Scenario &scenario, test::TestCluster &cluster, QObject *parent = nullptr);
    ~StoreOutages() override;

    void start();
    /// Waits for a restart that is under way; none begins after this.
    void finish();
    /// Everything so far; after finish().
    [[nodiscard]] const std::vector<Restart> &restarts() const { return restarts_; }

private:
    void restart();

    Scenario scenario_;
    test::TestCluster &cluster_;
    QTimer timer_;
    std::thread thread_;
    std::vector<Restart> restarts_;
};

} // namespace outbox::chaos
