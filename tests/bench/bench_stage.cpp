// SPDX-License-Identifier: Apache-2.0
// stage: what staging costs the application. Business transactions of eight clients, each an INSERT into the
// application's own table and one message: by stage() with all its checks, by a plain INSERT into a single
// outbox table, by graphile-worker's add_job.

#include "bench.h"
#include "beside.h"
#include "cluster.h"
#include "peers.h"
#include "series.h"
#include "support/servers/program.h"

#include <QRegularExpression>

namespace outbox::bench {

using namespace Qt::StringLiterals;

namespace {

/// Transactions per second of one pgbench script, on empty tables.
Result<double, QString> transactionRate(const Database &database, const QString &script, const Sizes &sizes)
{
    OUTBOX_BENCH_DO(database.text(u"stage_empty"_s));
    auto ran = servers::run(
        {.program = u"pgbench"_s,
         .arguments = {u"-n"_s, u"-M"_s, u"prepared"_s, u"-c"_s, u"8"_s, u"-j"_s, u"2"_s, u"-T"_s,
                       QString::number(sizes.stageSeconds), u"-D"_s, u"payload="_s + QString::fromUtf8(payload()),
                       u"-f"_s, beside(u"sql/pgbench_%1.sql"_s.arg(script))},
         .environment = database.environment()});
    if (!ran) {
        return ran.error();
    }
    static const QRegularExpression tps(u"tps = ([0-9.]+)"_s);
    const auto found = tps.match(QString::fromUtf8(*ran));
    if (!found.hasMatch()) {
        return u"pgbench did not say its tps: %1"_s.arg(QString::fromUtf8(*ran));
    }
    return found.captured(1).toDouble();
}

QJsonObject figures(const Pairs &pairs, const QString &other, double business)
{
    return {{u"clients"_s, 8},
            {u"payload_bytes"_s, int(payload().size())},
            {u"stage_tps"_s, rounded(pairs.ours(), 0)},
            {other + u"_tps"_s, rounded(pairs.theirs(), 0)},
            {u"business_insert_alone_tps"_s, rounded(business, 0)},
            {u"pair_ratios"_s, pairs.ratios()}};
}

} // namespace

Result<Done, QString> benchStage(const Context &context)
{
    OUTBOX_BENCH_TRY(database, context.cluster.make(u"stage"_s));
    OUTBOX_BENCH_DO(database.text(u"stage_tables"_s));
    if (context.peers) {
        OUTBOX_BENCH_DO(installGraphileWorker(database));
    }
    Pairs plain;
    Pairs peer;
    std::vector<double> business;
    for (int i = 0; i < context.sizes.pairs; ++i) {
        context.progress(u"stage: round %1 of %2"_s.arg(i + 1).arg(context.sizes.pairs));
        OUTBOX_BENCH_TRY(alone, transactionRate(database, u"business"_s, context.sizes));
        business.push_back(alone);
        OUTBOX_BENCH_TRY(inserted, transactionRate(database, u"plain_insert"_s, context.sizes));
        OUTBOX_BENCH_TRY(staged, transactionRate(database, u"stage"_s, context.sizes));
        plain.add(staged, inserted);
        if (context.peers) {
            OUTBOX_BENCH_TRY(added, transactionRate(database, u"add_job"_s, context.sizes));
            peer.add(staged, added);
        }
    }
    context.found({.bench = u"stage"_s,
                   .against = u"plain-insert"_s,
                   .ratio = plain.ratio(),
                   .wanted = 0.7,
                   .figures = figures(plain, u"plain_insert"_s, median(business)),
                   .missed = {}});
    if (context.peers) {
        context.found({.bench = u"stage"_s,
                       .against = u"add-job"_s,
                       .ratio = peer.ratio(),
                       .wanted = 1.5,
                       .figures = figures(peer, u"add_job"_s, median(business)),
                       .missed = {}});
    }
    return Done{};
}

} // namespace outbox::bench
