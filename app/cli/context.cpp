// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/context.h"

#include "cli/failures.h"
#include "settings/load.h"
#include "store/migrator.h"

namespace outbox::cli {

namespace {

constexpr milliseconds embeddedStart{60000};

Failure missingStore()
{
    return {ExitCode::bad_input,
            QStringLiteral("no store is given: pass --store postgresql://HOST/DATABASE or --store embedded, set "
                           "OUTBOX_STORE, or write `store:` into the settings file")};
}

} // namespace

Result<int, store::StoreError> bringUp(const store::ServerAddress &server, int &from)
{
    store::ConnectionSettings settings;
    settings.purpose = QStringLiteral("outbox-migrate");
    settings.statementTimeout = milliseconds(0);
    settings.lockTimeout = milliseconds(0);
    settings.needSchema = false;
    settings.needWrite = true;
    const auto connection = store::Connection::open(server, settings);
    if (!connection)
        return connection.error();
    const auto report = store::migrate((*connection)->database());
    if (!report)
        return report.error();
    from = report->from;
    return report->to;
}

Result<app::Settings, Failure> Context::settings()
{
    if (!settings_) {
        if (options_.config.empty()) {
            settings_.emplace();
        } else {
            const auto loaded = app::loadSettings(QString::fromStdString(options_.config));
            if (!loaded)
                return Failure{ExitCode::bad_input, app::textOf(loaded.error())};
            settings_ = *loaded;
        }
    }
    return *settings_;
}

Result<store::StoreAddress, Failure> Context::storeAddress(const std::optional<store::StoreAddress> &own)
{
    // The settings are read in any case: a broken file is told of, whatever names the store.
    const auto given = settings();
    if (!given)
        return given.error();
    QString text = QString::fromStdString(options_.store);
    QString source = QStringLiteral("--store");
    if (text.isEmpty() && own)
        return *own;
    if (text.isEmpty()) {
        text = qEnvironmentVariable("OUTBOX_STORE");
        source = QStringLiteral("OUTBOX_STORE");
    }
    if (text.isEmpty()) {
        if (given->store)
            return *given->store;
        return missingStore();
    }
    const auto parsed = store::parseStoreAddress(text);
    if (!parsed)
        return Failure{ExitCode::bad_input, QStringLiteral("%1: %2").arg(source, parsed.error())};
    return *parsed;
}

Result<store::ServerAddress, Failure> Context::server(const std::optional<store::StoreAddress> &own)
{
    if (server_)
        return *server_;
    const auto address = storeAddress(own);
    if (!address)
        return address.error();
    storeName_ = store::displayName(*address);
    if (const auto *embedded = std::get_if<store::EmbeddedAddress>(&*address)) {
        if (const auto started = startEmbedded(*embedded); !started)
            return started.error();
        server_ = embedded_->address();
    } else {
        server_ = std::get<store::ServerAddress>(*address);
    }
    return *server_;
}

Result<Done, Failure> Context::startEmbedded(const store::EmbeddedAddress &address)
{
    auto opened = store::EmbeddedStore::open(address, embeddedStart);
    if (!opened)
        return failureOf(opened.error(), storeName_);
    embedded_ = std::move(opened).value();
    int from = 0;
    if (const auto migrated = bringUp(embedded_->address(), from); !migrated)
        return failureOf(migrated.error(), storeName_);
    return Done{};
}

Result<std::unique_ptr<store::Connection>, Failure> Context::connect(const store::ConnectionSettings &settings)
{
    const auto address = server();
    if (!address)
        return address.error();
    auto opened = store::Connection::open(*address, settings);
    if (!opened)
        return failureOf(opened.error(), storeName_);
    return std::move(opened).value();
}

} // namespace outbox::cli
