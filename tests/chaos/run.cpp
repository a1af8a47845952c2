// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include "application.h"
#include "broker_consumer.h"
#include "store_outages.h"
#include "support/servers/http_receiver.h"
#include "support/servers/program.h"
#include "support/servers/psql.h"
#include "support/servers/rabbit_node.h"
#include "support/test_cluster.h"
#include "worker_herd.h"

#include <QEventLoop>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>

namespace outbox::chaos {

using namespace Qt::StringLiterals;

namespace {

const auto queue = u"outbox-chaos"_s;

/// Short leases, so that what a dead worker held comes back while the run still lasts.
const auto configuration = u"worker: { lease: 5s, poll: 4s, grace: 10s }\n"
                           "retry: { base: 100ms, cap: 1s, attempts: 50 }\n"
                           "destinations:\n"
                           "  broker:\n"
                           "    amqp: { url: \"%1\", password: {env: OUTBOX_CHAOS_PASSWORD}, exchange: \"\", "
                           "routing_key: \"%2\", concurrency: 256 }\n"
                           "  payments:\n"
                           "    http: { url: \"%3\", timeout: 10s, concurrency: 16 }\n"
                           "routes:\n"
                           "  - { type: \"payments.*\", destination: payments }\n"
                           "  - { type: \"*\", destination: broker }\n"_s;

/// libpq's key words.
QString keyWords(const store::ServerAddress &address)
{
    auto text = u"host=%1 user=%2 dbname=%3"_s.arg(address.host, address.user, address.database);
    return address.port > 0 ? text + u" port=%1"_s.arg(address.port) : text;
}

/// Asks until nothing is pending or processing any more, at most that long.
bool waitUntilDrained(const store::ServerAddress &address, milliseconds limit)
{
    QEventLoop loop;
    QTimer ask;
    bool drained = false;
    QObject::connect(&ask, &QTimer::timeout, &loop, [&] {
        auto left = servers::psql(address, beside(u"sql/left.sql"_s));
        drained = left.ok() && left->startsWith("0|0|");
        if (drained) {
            loop.quit();
        }
    });
    QTimer::singleShot(limit, &loop, &QEventLoop::quit);
    ask.start(500);
    loop.exec();
    return drained;
}

} // namespace

Result<Verdict, QString> play(const Scenario &scenario)
{
    auto cluster = test::TestCluster::own({u"fsync = on"_s, u"max_connections = 60"_s});
    const auto address = cluster->address();
    auto node = servers::RabbitNode::start();
    if (!node) {
        return node.error();
    }
    ReceivedLog log;
    servers::HttpReceiver endpoint([&log](const QByteArray &id) { log.take(id); });
    auto consumer = BrokerConsumer::start(node.value()->port(), queue, log);
    if (!consumer) {
        return consumer.error();
    }

    const QTemporaryDir folder;
    QFile settings(folder.filePath(u"outbox.yaml"_s));
    if (!settings.open(QIODevice::WriteOnly)) {
        return u"%1 cannot be written"_s.arg(settings.fileName());
    }
    settings.write(configuration.arg(node.value()->url(), queue, endpoint.url()).toUtf8());
    settings.close();
    qputenv("OUTBOX_CHAOS_PASSWORD", "guest");
    const QStringList common{u"--store"_s, keyWords(address), u"--config"_s, settings.fileName()};
    if (auto made = servers::run({.program = scenario.outbox, .arguments = common + QStringList{u"migrate"_s}});
        !made) {
        return made.error();
    }
    if (auto made = servers::psql(address, beside(u"sql/tables.sql"_s)); !made) {
        return made.error();
    }

    WorkerHerd herd(scenario, common + QStringList{u"run"_s});
    Application application(scenario, servers::clientEnvironment(address));
    StoreOutages outages(scenario, *cluster);
    herd.start();
    {
        QEventLoop loop;
        QObject::connect(&application, &Application::ended, &loop, &QEventLoop::quit);
        application.start();
        outages.start();
        loop.exec();
    }
    herd.spare();
    outages.finish();
    const bool drained = waitUntilDrained(address, seconds{180});
    const bool endedWell = herd.stop();
    if (auto arrived = consumer.value()->finish(); !arrived) {
        return arrived.error();
    }

    auto verdict = judge(address, log.counts(), {herd.kills(), outages.restarts()});
    if (!verdict) {
        return verdict;
    }
    auto &wrong = verdict.value().wrong;
    const auto doctor = servers::run({.program = scenario.outbox, .arguments = common + QStringList{u"doctor"_s}});
    verdict.value().figures.insert(u"doctor"_s, doctor.ok() ? u"clean"_s : u"complains"_s);
    if (!doctor) {
        wrong << u"doctor: %1"_s.arg(doctor.error());
    }
    if (!drained) {
        wrong << u"the workers did not drain the outbox within three minutes"_s;
    }
    if (!endedWell) {
        wrong << u"a worker did not end in good order when asked to"_s;
    }
    wrong << herd.surprises();
    return verdict;
}

} // namespace outbox::chaos
