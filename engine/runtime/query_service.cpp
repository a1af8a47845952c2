// SPDX-License-Identifier: Apache-2.0
#include "runtime/query_service.h"

#include "base/log.h"
#include "store/migrator.h"

#include <QDateTime>

namespace outbox::runtime {

namespace {

constexpr milliseconds embeddedLimit{60000};

store::ConnectionSettings connectionSettings()
{
    store::ConnectionSettings settings;
    settings.purpose = QStringLiteral("outbox-console");
    settings.connectTimeout = milliseconds{3000};
    settings.statementTimeout = milliseconds{5000};
    settings.lockTimeout = milliseconds{2000};
    return settings;
}

} // namespace

QueryService::QueryService(store::StoreAddress address) : address_(std::move(address)), timer_(this)
{
    timer_.setSingleShot(true);
    status_.store = store::displayName(address_);
    connect(&timer_, &QTimer::timeout, this, [this] {
        if (const auto error = reach())
            tryAgainLater(*error);
    });
}

QueryService::~QueryService() = default;

void QueryService::onStart()
{
    publish(api::StoreCondition::connecting, {});
    if (const auto error = reach())
        tryAgainLater(*error);
}

void QueryService::onStop()
{
    timer_.stop();
    connection_.reset();
    if (embedded_) {
        (void)embedded_->stop(milliseconds{10000});
        embedded_.reset();
    }
    finishStop();
}

std::optional<store::StoreError> QueryService::openEmbedded(const store::EmbeddedAddress &address)
{
    auto opened = store::EmbeddedStore::open(address, embeddedLimit);
    if (!opened)
        return opened.error();
    // Nobody else looks after this database, so its schema is brought up here.
    auto settings = connectionSettings();
    settings.needSchema = false;
    settings.statementTimeout = milliseconds{0};
    auto connection = store::Connection::open((*opened)->address(), settings);
    if (!connection)
        return connection.error();
    if (auto migrated = store::migrate((*connection)->database()); !migrated)
        return migrated.error();
    embedded_ = std::move(opened).value();
    return std::nullopt;
}

std::optional<store::StoreError> QueryService::reach()
{
    if (!isRunning() || connection_)
        return std::nullopt;
    if (const auto *embedded = std::get_if<store::EmbeddedAddress>(&address_)) {
        // A server that died is started again by opening it anew. One that lives is adopted: the old handle goes
        // only after that, since the last one to leave stops the server under everybody's sessions.
        if (failures_ > 0 || !embedded_)
            if (auto error = openEmbedded(*embedded))
                return error;
    }
    const bool first = !server_;
    server_ = embedded_ ? embedded_->address() : std::get<store::ServerAddress>(address_);
    if (first)
        Q_EMIT addressKnown(*server_);
    auto connection = store::Connection::open(*server_, connectionSettings());
    if (!connection)
        return connection.error();
    connection_ = std::move(connection).value();
    failures_ = 0;
    away_.reset();
    status_.role = connection_->sessionUser();
    const auto mayReplay = connection_->run("may_replay", {}, store::Effect::reads);
    status_.mayReplay = mayReplay && (*mayReplay)->next() && (*mayReplay)->value(0).toBool();
    publish(api::StoreCondition::ready, {});
    return std::nullopt;
}

void QueryService::tryAgainLater(const store::StoreError &error)
{
    connection_.reset();
    away_ = error;
    ++failures_;
    publish(api::StoreCondition::unavailable, store::describe(error));
    if (isRunning())
        timer_.start(backoff_.wait(failures_, random_));
}

void QueryService::ask(Task task)
{
    QMetaObject::invokeMethod(
        this, [this, task = std::move(task)] { run(task); }, Qt::QueuedConnection);
}

void QueryService::run(const Task &task)
{
    if (!connection_) {
        const store::StoreError why =
            away_ ? *away_ : store::StoreError(store::Unavailable{store::Unavailable::Why::unreachable, {}});
        (void)task(why);
        return;
    }
    const auto error = task(connection_.get());
    if (!connection_->isUsable())
        tryAgainLater(error ? *error : store::StoreError(store::Unavailable{store::Unavailable::Why::unreachable, {}}));
}

void QueryService::publish(api::StoreCondition condition, const QString &reason)
{
    const bool same = status_.condition == condition && status_.sinceUnixMilliseconds != 0;
    if (same && status_.reason == reason)
        return;
    if (!same)
        status_.sinceUnixMilliseconds = QDateTime::currentMSecsSinceEpoch();
    status_.condition = condition;
    status_.reason = reason;
    Q_EMIT statusChanged(status_);
}

} // namespace outbox::runtime
