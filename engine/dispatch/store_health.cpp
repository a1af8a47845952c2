// SPDX-License-Identifier: Apache-2.0
#include "dispatch/store_health.h"

#include "base/log.h"
#include "store/worker_store.h"

#include <QDateTime>

namespace outbox::dispatch {

namespace {

store::ConnectionSettings connectionSettings()
{
    store::ConnectionSettings settings;
    settings.purpose = QStringLiteral("outbox-health");
    settings.needWrite = true;
    settings.statementTimeout = milliseconds{5000};
    return settings;
}

} // namespace

StoreHealth::StoreHealth(store::ServerAddress address, WorkerSettings settings, QStringList destinations,
                         const Clock &clock, Random random)
    : address_(std::move(address)), settings_(std::move(settings)), destinations_(std::move(destinations)),
      clock_(clock), random_(std::move(random)), timer_(this)
{
    qRegisterMetaType<Condition>();
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &StoreHealth::probe);
}

StoreHealth::~StoreHealth() = default;

void StoreHealth::onStart()
{
    awaySince_ = clock_.now();
    probe();
}

void StoreHealth::onStop()
{
    timer_.stop();
    if (open_ && worker_) {
        auto connection = store::Connection::open(address_, connectionSettings());
        if (connection)
            (void)store::WorkerStore(**connection).unregisterWorker(*worker_);
    }
    open_ = false;
    finishStop();
}

Result<WorkerId, store::StoreError> StoreHealth::enter()
{
    auto connection = store::Connection::open(address_, connectionSettings());
    if (!connection)
        return connection.error();
    store::WorkerStore store(**connection);
    if (auto may = store.checkRights(); !may)
        return may.error();
    if (worker_) {
        const auto known = store.heartbeat(*worker_);
        if (!known)
            return known.error();
        if (*known)
            return *worker_;
    }
    for (const auto &[pattern, destination] : settings_.routes)
        if (auto set = store.setRoute(pattern, destination); !set)
            return set.error();
    return store.registerWorker(settings_.name, settings_.version, destinations_);
}

void StoreHealth::probe()
{
    if (!isRunning() || open_)
        return;
    const auto entered = enter();
    if (!entered) {
        close(entered.error());
        return;
    }
    const bool first = !worker_ || *worker_ != *entered;
    worker_ = *entered;
    open_ = true;
    failures_ = 0;
    if (logged_) {
        const auto away = std::chrono::duration_cast<milliseconds>(clock_.now() - awaySince_);
        log::info("store.available", {{"after_ms", away.count()}, {"suppressed", suppressed_}});
    }
    if (first)
        log::info("worker.registered", {{"worker", worker_->value()}, {"name", settings_.name}});
    logged_ = false;
    suppressed_ = 0;
    publish(true, {});
    Q_EMIT opened(worker_->value());
}

void StoreHealth::onStoreFailed(const store::StoreError &error)
{
    if (isRunning())
        close(error);
}

void StoreHealth::close(const store::StoreError &error)
{
    const bool wasOpen = std::exchange(open_, false);
    if (wasOpen) {
        awaySince_ = clock_.now();
        failures_ = 0;
    }
    if (!logged_) {
        log::warning("store.unavailable", {{"cause", store::nameOf(error)}, {"reason", store::describe(error)}});
        logged_ = true;
    } else {
        ++suppressed_;
    }
    publish(false, store::describe(error));
    if (wasOpen)
        Q_EMIT closed();
    if (!timer_.isActive()) {
        ++failures_;
        timer_.start(backoff_.wait(failures_, random_));
    }
}

void StoreHealth::publish(bool ready, const QString &reason)
{
    Q_EMIT conditionChanged(Condition{ready, reason, QDateTime::currentMSecsSinceEpoch()});
}

} // namespace outbox::dispatch
