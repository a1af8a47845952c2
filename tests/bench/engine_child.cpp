// SPDX-License-Identifier: Apache-2.0
#include "engine_child.h"

#include "cluster.h"
#include "destination/amqp/amqp_destination.h"
#include "destination/http/http_destination.h"
#include "destination/in_process/in_process_destination.h"
#include "runtime/worker_runtime.h"
#include "support/servers/program.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <cstdio>

namespace outbox::bench {

using namespace Qt::StringLiterals;

namespace {

const auto destinationName = u"bench"_s; // as sql/route.sql has it

store::ServerAddress addressFromEnvironment()
{
    return {.host = qEnvironmentVariable("PGHOST"),
            .port = qEnvironmentVariableIntValue("PGPORT"),
            .database = qEnvironmentVariable("PGDATABASE"),
            .user = qEnvironmentVariable("PGUSER"),
            .password = qEnvironmentVariable("PGPASSWORD"),
            .options = {}};
}

delivery::DestinationEntry amqpEntry(const ChildOrder &order)
{
    destination::AmqpConfig config;
    config.address = destination::parseAmqpAddress(QString::fromStdString(order.amqpUrl)).value();
    config.password = destination::Secret(u"guest"_s);
    config.routingKey = destination::RoutingKey::parse(u"outbox-bench"_s).value();
    config.concurrency = order.concurrency;
    return {DestinationName(destinationName), config.concurrency, [config](delivery::OutcomeSink &sink) {
                return std::make_unique<destination::AmqpDestination>(config, sink);
            }};
}

delivery::DestinationEntry httpEntry(const ChildOrder &order)
{
    destination::HttpConfig config;
    config.url = QUrl(QString::fromStdString(order.httpUrl));
    config.concurrency = order.concurrency;
    return {DestinationName(destinationName), config.concurrency, [config](delivery::OutcomeSink &sink) {
                return std::make_unique<destination::HttpDestination>(config, sink);
            }};
}

constexpr int inProcessConcurrency = 2000; // two claims of the default batch

/// Takes everything at once, so that what is measured is the engine.
delivery::DestinationEntry inProcessEntry()
{
    return {DestinationName(destinationName), inProcessConcurrency, [](delivery::OutcomeSink &sink) {
                const auto accept = [](const Message &, int) -> delivery::DeliveryOutcome {
                    return delivery::Accepted{};
                };
                return std::make_unique<destination::InProcessDestination>(
                    sink, destination::InProcessDestination::Handler(accept), inProcessConcurrency);
            }};
}

/// The greatest resident set of this process so far.
double peakMemoryMib()
{
    QFile status(u"/proc/self/status"_s);
    static const QRegularExpression peak(u"VmHWM:\\s+(\\d+)"_s);
    const auto text = status.open(QIODevice::ReadOnly) ? QString::fromLatin1(status.readAll()) : QString();
    return peak.match(text).captured(1).toDouble() / 1024;
}

} // namespace

int runChild(const ChildOrder &order)
{
    const auto entry = !order.amqpUrl.empty()   ? amqpEntry(order)
                       : !order.httpUrl.empty() ? httpEntry(order)
                                                : inProcessEntry();
    dispatch::WorkerSettings settings;
    settings.name = u"outbox-bench"_s;
    settings.version = u"bench"_s;
    runtime::WorkerRuntime worker(addressFromEnvironment(), settings, {entry});
    QObject::connect(&worker, &runtime::WorkerRuntime::drained, &worker, &runtime::WorkerRuntime::stop);
    QObject::connect(&worker, &runtime::WorkerRuntime::stopped, qApp, &QCoreApplication::quit);
    worker.start();
    worker.reportDrained();
    QCoreApplication::exec();
    const QJsonObject answer{{u"accepted"_s, qint64(worker.status().accepted)},
                             {u"peak_memory_mib"_s, peakMemoryMib()}};
    std::puts(QJsonDocument(answer).toJson(QJsonDocument::Compact).constData());
    return 0;
}

Result<EngineRun, QString> drainWithEngine(const Database &database, const ChildOrder &order)
{
    auto ran = servers::run({.program = QCoreApplication::applicationFilePath(),
                             .arguments = {u"--child"_s, u"--child-amqp"_s, QString::fromStdString(order.amqpUrl),
                                           u"--child-http"_s, QString::fromStdString(order.httpUrl),
                                           u"--child-concurrency"_s, QString::number(order.concurrency)},
                             .environment = database.environment()});
    if (!ran) {
        return ran.error();
    }
    auto drained = database.script(u"drained"_s);
    if (!drained) {
        return drained.error();
    }
    if (drained->size() != 2 || int((*drained)[0]) != order.records) {
        return u"the worker dispatched %1 of %2 records"_s.arg((*drained)[0]).arg(order.records);
    }
    const auto answer = QJsonDocument::fromJson(*ran).object();
    return EngineRun{.recordsPerSecond = order.records / (*drained)[1],
                     .peakMemoryMib = answer.value(u"peak_memory_mib"_s).toDouble()};
}

} // namespace outbox::bench
