// SPDX-License-Identifier: Apache-2.0
#include "peers.h"

#include "beside.h"
#include "cluster.h"
#include "support/servers/program.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>

namespace outbox::bench {

using namespace Qt::StringLiterals;

namespace {

Result<QJsonObject, QString> drainScript(const Database &database, const QStringList &arguments)
{
    const auto folder = beside(u"peers"_s);
    if (!QDir(folder + u"/node_modules/graphile-worker"_s).exists()) {
        auto installed = servers::run(
            {.program = u"npm"_s, .arguments = {u"ci"_s, u"--no-audit"_s, u"--no-fund"_s}, .folder = folder});
        if (!installed) {
            return u"%1 (leave graphile-worker out with --no-peers)"_s.arg(installed.error());
        }
    }
    auto ran = servers::run(
        {.program = u"node"_s,
         .arguments = QStringList{u"drain.mjs"_s, u"--payload"_s, QString::fromUtf8(payload())} + arguments,
         .environment = database.environment(),
         .folder = folder});
    if (!ran) {
        return ran.error();
    }
    return QJsonDocument::fromJson(*ran).object();
}

} // namespace

Result<Done, QString> installGraphileWorker(const Database &database)
{
    auto made = drainScript(database, {u"--add-only"_s});
    if (!made) {
        return made.error();
    }
    return Done{};
}

Result<PeerRun, QString> drainGraphileWorker(const Database &database, int jobs)
{
    struct Mode {
        QString localQueue;
        QString completeDelay;
    };
    PeerRun best;
    for (const auto &mode : {Mode{u"500"_s, u"0"_s}, Mode{u"2000"_s, u"10"_s}}) {
        auto ran = drainScript(database, {u"--jobs"_s, QString::number(jobs), u"--local-queue"_s, mode.localQueue,
                                          u"--complete-delay"_s, mode.completeDelay});
        if (!ran) {
            return ran.error();
        }
        const double rate = ran->value(u"count"_s).toDouble() / ran->value(u"seconds"_s).toDouble();
        if (rate > best.recordsPerSecond) {
            best = {.recordsPerSecond = rate,
                    .memoryMib = ran->value(u"memory_mib"_s).toDouble(),
                    .mode =
                        u"local queue %1, completions every %2 ms, 24 jobs"_s.arg(mode.localQueue, mode.completeDelay)};
        }
    }
    return best;
}

} // namespace outbox::bench
