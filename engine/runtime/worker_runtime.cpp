// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker_runtime.h"

#include "base/log.h"
#include "runtime/chores.h"

#include <QCoreApplication>
#include <QSysInfo>

#include <algorithm>

namespace outbox::runtime {

namespace {

dispatch::WorkerSettings named(dispatch::WorkerSettings settings)
{
    if (settings.name.isEmpty())
        settings.name =
            QStringLiteral("%1-%2").arg(QSysInfo::machineHostName()).arg(QCoreApplication::applicationPid());
    return settings;
}

QStringList namesOf(const delivery::DestinationCatalogue &catalogue)
{
    QStringList names;
    for (const auto &entry : catalogue)
        names << entry.name.value();
    return names;
}

/// Twice what is in flight, so that no slot waits for a claim, and a little for the way to the store and back.
std::vector<dispatch::ClaimTarget> targetsOf(const delivery::DestinationCatalogue &catalogue)
{
    std::vector<dispatch::ClaimTarget> targets;
    for (const auto &entry : catalogue)
        targets.push_back({entry.name, 2 * entry.concurrency + 32});
    return targets;
}

} // namespace

WorkerRuntime::WorkerRuntime(const store::ServerAddress &address, dispatch::WorkerSettings settings,
                             const delivery::DestinationCatalogue &catalogue, QObject *parent)
    : QObject(parent), settings_(named(std::move(settings))),
      health_(std::make_unique<dispatch::StoreHealth>(address, settings_, namesOf(catalogue), clock_,
                                                      Random::fromMachine()),
              QStringLiteral("outbox-health")),
      maintenance_(std::make_unique<maintenance::MaintenanceLoop>(address, choresOf(settings_), clock_),
                   QStringLiteral("outbox-maint")),
      keeper_(std::make_unique<dispatch::LeaseKeeper>(address, settings_.lease, leases_, clock_),
              QStringLiteral("outbox-leases")),
      writer_(std::make_unique<dispatch::OutcomeWriter>(address, settings_, leases_, counters_, Random::fromMachine()),
              QStringLiteral("outbox-outcomes")),
      claims_(
          std::make_unique<dispatch::ClaimLoop>(address, settings_, targetsOf(catalogue), leases_, counters_, clock_),
          QStringLiteral("outbox-claims"))
{
    for (std::size_t i = 0; i < catalogue.size(); ++i)
        hosts_.push_back(std::make_unique<ServiceThread<dispatch::DeliveryHost>>(
            std::make_unique<dispatch::DeliveryHost>(
                static_cast<int>(i), catalogue[i], dispatch::DeliveryHost::Settings{settings_.answer, settings_.grace},
                leases_, clock_),
            QStringLiteral("outbox-to-%1").arg(catalogue[i].name.value())));
    connectServices();
}

WorkerRuntime::~WorkerRuntime() = default;

void WorkerRuntime::connectServices()
{
    auto *health = health_.service();
    auto *claims = claims_.service();
    auto *writer = writer_.service();
    const std::vector<store::StoreUser *> users{claims, writer, keeper_.service(), maintenance_.service()};
    for (auto *user : users) {
        connect(health, &dispatch::StoreHealth::opened, user, &store::StoreUser::onStoreOpened);
        connect(health, &dispatch::StoreHealth::closed, user, &store::StoreUser::onStoreClosed);
        connect(user, &store::StoreUser::storeFailed, health, &dispatch::StoreHealth::onStoreFailed);
    }
    connect(health, &dispatch::StoreHealth::conditionChanged, this,
            [this](const dispatch::StoreHealth::Condition &condition) {
                condition_ = condition;
                Q_EMIT storeChanged(condition.ready, condition.reason);
            });

    std::vector<dispatch::DeliveryHost *> hosts;
    for (const auto &host : hosts_)
        hosts.push_back(host->service());
    // Emitted in the claim thread; handed on to the one thread that it is for.
    connect(
        claims, &dispatch::ClaimLoop::claimed, claims,
        [hosts](int destination, const std::shared_ptr<dispatch::ClaimedBatch> &batch) {
            auto *host = hosts[static_cast<std::size_t>(destination)];
            QMetaObject::invokeMethod(
                host, [host, batch] { host->take(batch); }, Qt::QueuedConnection);
        },
        Qt::DirectConnection);
    for (auto *host : hosts) {
        connect(host, &dispatch::DeliveryHost::settledMany, writer, &dispatch::OutcomeWriter::add);
        connect(host, &dispatch::DeliveryHost::abandoned, claims,
                [this, claims](int destination, qint64 fence, int records) {
                    leases_.settled(Fence(fence), records);
                    counters_.inFlight -= records;
                    claims->onWritten(destination, records, -1);
                });
        connect(host, &Service::stopped, this, [this] {
            if (--hostsRunning_ == 0)
                stopWriter();
        });
    }
    connect(writer, &dispatch::OutcomeWriter::written, claims, &dispatch::ClaimLoop::onWritten);
    connect(writer, &dispatch::OutcomeWriter::answered, claims, &dispatch::ClaimLoop::onAnswered);
    connect(claims, &dispatch::ClaimLoop::drained, this, &WorkerRuntime::drained);
    connect(claims, &dispatch::ClaimLoop::fellAsleep, this, &WorkerRuntime::fellAsleep);

    connect(claims, &Service::stopped, this, &WorkerRuntime::stopHosts);
    connect(writer, &Service::stopped, this, &WorkerRuntime::stopUpkeep);
    for (Service *each : {static_cast<Service *>(keeper_.service()), static_cast<Service *>(maintenance_.service())})
        connect(each, &Service::stopped, this, [this] {
            if (--upkeepRunning_ == 0)
                stopHealth();
        });
    connect(health, &Service::stopped, this, [this] {
        phase_ = Phase::ended;
        log::info("worker.stopped", {{"name", settings_.name},
                                     {"accepted", counters_.accepted.load()},
                                     {"released", counters_.released.load()}});
        Q_EMIT stopped();
    });
}

void WorkerRuntime::start()
{
    if (phase_ != Phase::idle)
        return;
    phase_ = Phase::running;
    log::info("worker.starting", {{"name", settings_.name}, {"destinations", hosts_.size()}});
    for (const auto &host : hosts_)
        host->start();
    writer_.start();
    keeper_.start();
    maintenance_.start();
    claims_.start();
    health_.start();
}

void WorkerRuntime::stop()
{
    if (phase_ == Phase::stopping)
        return;
    if (phase_ != Phase::running) {
        QMetaObject::invokeMethod(this, &WorkerRuntime::stopped, Qt::QueuedConnection);
        return;
    }
    phase_ = Phase::stopping;
    claims_.stop();
}

void WorkerRuntime::stopHosts()
{
    hostsRunning_ = hosts_.size();
    for (const auto &host : hosts_)
        host->stop();
}

void WorkerRuntime::stopWriter() { writer_.stop(); }

void WorkerRuntime::stopUpkeep()
{
    upkeepRunning_ = 2;
    keeper_.stop();
    maintenance_.stop();
}

void WorkerRuntime::stopHealth() { health_.stop(); }

void WorkerRuntime::reportDrained()
{
    QMetaObject::invokeMethod(claims_.service(), &dispatch::ClaimLoop::reportDrained, Qt::QueuedConnection);
}

WorkerStatus WorkerRuntime::status() const
{
    return {condition_.ready,          condition_.reason,        condition_.sinceUnixMilliseconds,
            counters_.inFlight.load(), counters_.claimed.load(), counters_.accepted.load(),
            counters_.retried.load(),  counters_.dead.load(),    counters_.released.load(),
            counters_.refused.load()};
}

} // namespace outbox::runtime
