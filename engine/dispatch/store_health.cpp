// SPDX-License-Identifier: Apache-2.0
#include "dispatch/store_health.h"

#include "base/log.h"
#include "store/worker_store.h"

#include <QDateTime>

namespace outbox::dispatch {

namespace {

/// How long an opening has to last to count as the end of an outage.
constexpr milliseconds settled{10000};

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
      clock_(clock), random_(std::move(random)), timer_(this), settling_(this)
{
    qRegisterMetaType<Condition>();
    timer_.setSingleShot(true);
    settling_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &StoreHealth::probe);
    connect(&settling_, &QTimer::timeout, this, &StoreHealth::onSettled);
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
    settling_.stop();
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
    if (!settings_.routes.isEmpty())
        if (auto set = store.setRoutes(settings_.routes); !set)
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
    if (!flapping_)
        tellOfTheEnd();
    settling_.start(settled);
    if (first)
        log::info("worker.registered", {{"worker", worker_->value()}, {"name", settings_.name}});
    publish(true, {});
    Q_EMIT opened(worker_->value());
}

void StoreHealth::onStoreFailed(const store::StoreError &error)
{
    if (isRunning())
        close(error);
}

void StoreHealth::tellOfTheEnd()
{
    if (!std::exchange(logged_, false))
        return;
    const auto away = std::chrono::duration_cast<milliseconds>(clock_.now() - awaySince_);
    log::info("store.available", {{"after_ms", away.count()}, {"suppressed", suppressed_}});
    suppressed_ = 0;
}

void StoreHealth::onSettled()
{
    tellOfTheEnd();
    flapping_ = false;
    failures_ = 0;
}

void StoreHealth::close(const store::StoreError &error)
{
    const bool wasOpen = std::exchange(open_, false);
    if (wasOpen) {
        flapping_ = failures_ > 0; // Set back by an opening that lasted.
        if (!logged_)
            awaySince_ = clock_.now();
        settling_.stop();
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
