// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/console_demo.h"

namespace outbox::console {

ConsoleDemo::ConsoleDemo(QObject *parent) : QObject(parent), receiver_(false) {}

void ConsoleDemo::addTo(app::Settings &settings) const
{
    const DestinationName name(QStringLiteral("demo"));
    destination::HttpConfig http;
    http.url = receiver_.url();
    http.concurrency = 32;
    settings.destinations = {{name, http}};
    settings.routes = {{QStringLiteral("demo.*"), name}};
    settings.backoff = {milliseconds{250}, milliseconds{5000}};
}

void ConsoleDemo::start(const store::ServerAddress &address)
{
    if (stager_)
        return;
    stager_ = std::make_unique<ServiceThread<demo::DemoStager>>(
        std::make_unique<demo::DemoStager>(address, demo::DemoPlan{}, Random::fromMachine()),
        QStringLiteral("demo-stager"));
    connect(stager_->service(), &Service::stopped, this, &ConsoleDemo::stopped);
    stager_->start();
}

void ConsoleDemo::stop()
{
    if (stager_)
        stager_->stop();
    else
        Q_EMIT stopped();
}

} // namespace outbox::console
