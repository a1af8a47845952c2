// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/load.h"

#include "dispatch/worker_settings.h"
#include "settings/destinations.h"
#include "settings/duration.h"
#include "settings/section.h"
#include "settings/spelling.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace outbox::app {

namespace {

const auto storeKey = QStringLiteral("store");
const auto workerKey = QStringLiteral("worker");
const auto retryKey = QStringLiteral("retry");
const auto destinationsKey = QStringLiteral("destinations");
const auto routesKey = QStringLiteral("routes");

/// A text in clear must not hold a password; one from the environment or a file may.
std::optional<store::StoreAddress> readStore(const Section &root)
{
    if (!root.has(storeKey))
        return std::nullopt;
    const bool secret = root.node(storeKey).IsMap();
    std::optional<QString> text;
    if (!secret)
        text = root.text(storeKey);
    else if (const auto hidden = root.secret(storeKey))
        text = hidden->reveal();
    if (!text)
        return std::nullopt;
    auto address = store::parseStoreAddress(*text);
    if (!address) {
        root.fail(storeKey, address.error());
        return std::nullopt;
    }
    const auto *server = std::get_if<store::ServerAddress>(&address.value());
    if (server && !server->password.isEmpty() && !secret)
        root.fail(storeKey,
                  QStringLiteral("a password in clear is refused; use a .pgpass file, the variable PGPASSWORD, or "
                                 "'store: {env: NAME}'"));
    return std::move(address).value();
}

void readWorker(const Section &section, dispatch::WorkerSettings &worker)
{
    using Limits = dispatch::WorkerLimits;
    worker.name = section.text(QStringLiteral("name")).value_or(QString());
    if (worker.name.size() > 100)
        section.fail(QStringLiteral("name"), QStringLiteral("expected at most 100 characters"));
    worker.batch = section.number(QStringLiteral("batch"), 1, Limits::mostBatch).value_or(worker.batch);
    worker.lease =
        section.duration(QStringLiteral("lease"), Limits::leastLease, Limits::mostLease).value_or(worker.lease);
    worker.poll = section.duration(QStringLiteral("poll"), Limits::leastPoll, Limits::mostPoll).value_or(worker.poll);
    worker.grace = section.duration(QStringLiteral("grace"), milliseconds{0}, Limits::mostGrace).value_or(worker.grace);
}

void readRetry(const Section &section, dispatch::WorkerSettings &worker)
{
    const auto capKey = QStringLiteral("cap");
    constexpr milliseconds longest = std::chrono::hours{24 * 7};
    auto &backoff = worker.backoff;
    backoff.base = section.duration(QStringLiteral("base"), milliseconds{1}, longest).value_or(backoff.base);
    const auto cap = section.duration(capKey, milliseconds{1}, longest);
    backoff.cap = std::max(cap.value_or(backoff.cap), backoff.base);
    if (cap && *cap < backoff.base)
        section.fail(capKey, QStringLiteral("expected at least the base, %1").arg(durationText(backoff.base)));
    worker.retry.attempts = section.number(QStringLiteral("attempts"), 1, dispatch::WorkerLimits::mostAttempts)
                                .value_or(worker.retry.attempts);
}

bool isRouteType(const QString &type)
{
    static const QRegularExpression form(QStringLiteral("\\A(\\*|[^*\\s]+\\.\\*|[^*\\s]+)\\z"));
    return form.match(type).hasMatch();
}

void readRoute(Section section, Settings &settings, QMap<QString, int> &seen)
{
    const auto typeKey = QStringLiteral("type");
    const auto destinationKey = QStringLiteral("destination");
    section.require(typeKey, QStringLiteral("a message type, 'prefix.*' or '*'"));
    section.require(destinationKey, QStringLiteral("the name of a destination"));
    const auto type = section.text(typeKey);
    const auto name = section.text(destinationKey);
    if (type && !isRouteType(*type))
        section.fail(typeKey,
                     QStringLiteral("expected a message type, 'prefix.*' or '*', found '%1'").arg(type->left(60)));
    else if (type && seen.contains(*type))
        section.fail(typeKey, QStringLiteral("'%1' has a route already, in line %2").arg(*type).arg(seen.value(*type)));
    else if (type)
        seen.insert(*type, section.node(typeKey).Mark().line + 1);
    if (!name)
        return;
    QStringList names;
    for (const auto &each : settings.destinations)
        names.append(each.name.value());
    if (!names.contains(*name))
        section.fail(destinationKey,
                     QStringLiteral("there is no destination '%1'%2").arg(*name, didYouMean(*name, names)));
    else if (type)
        settings.worker.routes.append({*type, *name});
}

void readRoutes(const Section &root, Settings &settings)
{
    const YAML::Node routes = root.node(routesKey);
    if (!routes.IsSequence()) {
        root.fail(routesKey, QStringLiteral("expected a list of {type: ..., destination: ...}"));
        return;
    }
    QMap<QString, int> seen;
    for (std::size_t i = 0; i < routes.size(); ++i) {
        const QString path = QStringLiteral("routes[%1]").arg(i);
        const Section section(root.reading(), routes[i], routes[i].Mark(), path,
                              {QStringLiteral("type"), QStringLiteral("destination")});
        if (routes[i].IsMap())
            readRoute(section, settings, seen);
    }
}

Settings read(Reading &reading, const YAML::Node &document)
{
    Settings settings;
    const Section root(reading, document, YAML::Mark(), QString(),
                       {storeKey, workerKey, retryKey, destinationsKey, routesKey});
    settings.store = readStore(root);
    if (root.has(workerKey))
        readWorker(root.section(workerKey, {QStringLiteral("name"), QStringLiteral("batch"), QStringLiteral("lease"),
                                            QStringLiteral("poll"), QStringLiteral("grace")}),
                   settings.worker);
    if (root.has(retryKey))
        readRetry(root.section(retryKey, {QStringLiteral("base"), QStringLiteral("cap"), QStringLiteral("attempts")}),
                  settings.worker);
    if (root.has(destinationsKey))
        settings.destinations = readDestinations(root.section(destinationsKey, Section::anyName()));
    if (root.has(routesKey))
        readRoutes(root, settings);
    return settings;
}

} // namespace

Environment processEnvironment()
{
    return [](const QString &name) -> std::optional<QString> {
        const QByteArray key = name.toLocal8Bit();
        if (!qEnvironmentVariableIsSet(key.constData()))
            return std::nullopt;
        return qEnvironmentVariable(key.constData());
    };
}

Result<Settings, SettingsErrors> parseSettings(const QByteArray &text, const QString &name, const QString &folder,
                                               const Environment &environment, const KeyStore &keyStore)
{
    Reading reading{name, folder, environment, keyStore, {}};
    Settings settings;
    try {
        const YAML::Node document = YAML::Load(text.toStdString());
        if (!document.IsNull()) // an empty file says nothing, which is fine
            settings = read(reading, document);
    } catch (const YAML::Exception &problem) {
        reading.fail(problem.mark, QString(), QStringLiteral("not YAML: %1").arg(QString::fromStdString(problem.msg)));
    }
    if (reading.errors.isEmpty())
        return settings;
    std::ranges::stable_sort(reading.errors, {},
                             [](const SettingsError &each) { return std::pair(each.line, each.column); });
    return reading.errors;
}

Result<Settings, SettingsErrors> loadSettings(const QString &path, const Environment &environment)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return SettingsErrors{
            {path, 0, 0, QString(), QStringLiteral("the file cannot be read: %1").arg(file.errorString())}};
    return parseSettings(file.readAll(), path, QFileInfo(path).absolutePath(), environment);
}

} // namespace outbox::app
