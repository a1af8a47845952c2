// SPDX-License-Identifier: Apache-2.0
#include "store_outages.h"

#include "support/test_cluster.h"

#include <QDateTime>

namespace outbox::chaos {

using namespace Qt::StringLiterals;

StoreOutages::StoreOutages(const Scenario &scenario, test::TestCluster &cluster, QObject *parent)
    : QObject(parent), scenario_(scenario), cluster_(cluster)
{
    connect(&timer_, &QTimer::timeout, this, &StoreOutages::restart);
}

StoreOutages::~StoreOutages() { finish(); }

void StoreOutages::start()
{
    if (scenario_.restarts > 0) {
        timer_.start(milliseconds(scenario_.staging) / (scenario_.restarts + 1));
    }
}

void StoreOutages::restart()
{
    if (int(restarts_.size()) == scenario_.restarts) {
        timer_.stop();
        return;
    }
    if (thread_.joinable()) {
        thread_.join();
    }
    const bool crash = restarts_.size() % 2 == 0;
    restarts_.push_back({crash ? u"immediate"_s : u"fast"_s, QDateTime::currentMSecsSinceEpoch(), 0});
    thread_ = std::thread([this, crash] {
        cluster_.restart(crash ? test::TestCluster::Stop::immediate : test::TestCluster::Stop::fast);
        restarts_.back().to = QDateTime::currentMSecsSinceEpoch();
    });
}

void StoreOutages::finish()
{
    timer_.stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

} // namespace outbox::chaos
