// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo/demo_workload.h"

namespace outbox::demo {

namespace {

const DestinationName destination(QStringLiteral("demo"));

} // namespace

DemoWorkload::DemoWorkload(const DemoPlan &plan, QObject *parent)
    : QObject(parent), plan_(plan), receiver_(plan.transactions.has_value())
{
}

DemoWorkload::~DemoWorkload() = default;

void DemoWorkload::applyTo(app::Settings &settings) const
{
    destination::HttpConfig http;
    http.url = receiver_.url();
    http.concurrency = 32;
    settings.destinations = {{destination, http}};
    settings.worker.routes = {{QStringLiteral("demo.*"), destination.value()}};
    settings.worker.backoff = {milliseconds(250), milliseconds(5000)};
}

void DemoWorkload::start(const store::ServerAddress &address)
{
    if (stager_)
        return;
    stager_ = std::make_unique<ServiceThread<DemoStager>>(
        std::make_unique<DemoStager>(address, plan_, Random::fromMachine()), QStringLiteral("demo-stager"));
    connect(stager_->service(), &DemoStager::finished, this, &DemoWorkload::finished);
    connect(stager_->service(), &Service::stopped, this, &DemoWorkload::stopped);
    stager_->start();
}

void DemoWorkload::stop()
{
    if (stager_)
        stager_->stop();
    else
        Q_EMIT stopped();
}

DemoCounts DemoWorkload::counts() const
{
    if (!stager_)
        return {};
    const auto *stager = stager_->service();
    return {stager->committedTransactions(),
            stager->rolledBackTransactions(),
            stager->staged(),
            receiver_.received(),
            receiver_.duplicates(),
            receiver_.refused()};
}

} // namespace outbox::demo
