// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo/demo_workload.h"

namespace outbox::demo {

namespace {

const DestinationName destination(QStringLiteral("demo"));

} // namespace

DemoWorkload::DemoWorkload(const store::ServerAddress &address, const DemoPlan &plan, QObject *parent)
    : QObject(parent), receiver_(plan.transactions.has_value()),
      stager_(std::make_unique<DemoStager>(address, plan, Random::fromMachine()), QStringLiteral("demo-stager"))
{
    connect(stager_.service(), &DemoStager::finished, this, &DemoWorkload::finished);
    connect(stager_.service(), &Service::stopped, this, &DemoWorkload::stopped);
}

DemoWorkload::~DemoWorkload() = default;

void DemoWorkload::addTo(app::Settings &settings) const
{
    destination::HttpConfig http;
    http.url = receiver_.url();
    http.concurrency = 32;
    settings.destinations.append({destination, http});
    settings.routes.append({QStringLiteral("demo.*"), destination});
    settings.backoff = {milliseconds(250), milliseconds(5000)};
}

void DemoWorkload::start() { stager_.start(); }

void DemoWorkload::stop() { stager_.stop(); }

DemoCounts DemoWorkload::counts() const
{
    const auto *stager = stager_.service();
    return {stager->committedTransactions(),
            stager->rolledBackTransactions(),
            stager->staged(),
            receiver_.received(),
            receiver_.duplicates(),
            receiver_.refused()};
}

} // namespace outbox::demo
