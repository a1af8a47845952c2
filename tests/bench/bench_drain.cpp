// SPDX-License-Identifier: Apache-2.0
// drain: how fast one worker empties a full outbox into a destination that takes everything at once. What
// is left is the engine's own cost, and the store's.

#include "bench.h"
#include "cluster.h"
#include "engine_child.h"
#include "peers.h"
#include "series.h"

#include <algorithm>

namespace outbox::bench {

using namespace Qt::StringLiterals;

namespace {

constexpr double memoryLimitMib = 100;

/// Waiting records, and nothing else but the history that was there.
Result<Done, QString> refill(const Database &database, int records, const QString &emptied)
{
    OUTBOX_BENCH_DO(database.text(emptied));
    OUTBOX_BENCH_DO(database.text(
        u"fill"_s, {{u"records"_s, QString::number(records)}, {u"payload"_s, QString::fromUtf8(payload())}}));
    return Done{};
}

Result<EngineRun, QString> drained(const Database &database, int records, const QString &emptied = u"empty"_s)
{
    OUTBOX_BENCH_DO(refill(database, records, emptied));
    return drainWithEngine(database, {.records = records, .amqpUrl = {}, .httpUrl = {}, .concurrency = 0});
}

Result<double, QString> ceiling(const Database &database, int records)
{
    OUTBOX_BENCH_DO(refill(database, records, u"empty"_s));
    OUTBOX_BENCH_TRY(measured, database.script(u"ceiling"_s));
    if (measured.size() != 2 || int(measured[0]) != records) {
        return u"the in-server drain did not empty the outbox"_s;
    }
    return measured[0] / measured[1];
}

std::vector<QString> memoryMissed(double peakMib)
{
    if (peakMib <= memoryLimitMib) {
        return {};
    }
    return {u"the worker took %1 MiB, at most %2 are promised"_s.arg(peakMib, 0, 'f', 1).arg(memoryLimitMib)};
}

QJsonObject figures(int records, const Pairs &pairs, const QString &other, double peakMib)
{
    return {{u"records"_s, records},
            {u"payload_bytes"_s, int(payload().size())},
            {u"engine_records_per_second"_s, rounded(pairs.ours(), 0)},
            {other + u"_records_per_second"_s, rounded(pairs.theirs(), 0)},
            {u"pair_ratios"_s, pairs.ratios()},
            {u"worker_peak_memory_mib"_s, rounded(peakMib, 1)}};
}

Result<Done, QString> againstCeilingAndPeer(const Context &context, const Database &database)
{
    const int records = context.sizes.records;
    Pairs withCeiling;
    Pairs withPeer;
    double peak = 0;
    double peerMemory = 0;
    QString peerMode;
    for (int i = 0; i < context.sizes.pairs; ++i) {
        context.progress(
            u"drain: round %1 of %2: engine, ceiling, graphile-worker"_s.arg(i + 1).arg(context.sizes.pairs));
        OUTBOX_BENCH_TRY(engine, drained(database, records));
        OUTBOX_BENCH_TRY(most, ceiling(database, records));
        withCeiling.add(engine.recordsPerSecond, most);
        peak = std::max(peak, engine.peakMemoryMib);
        if (context.peers) {
            OUTBOX_BENCH_TRY(peer, drainGraphileWorker(database, records));
            withPeer.add(engine.recordsPerSecond, peer.recordsPerSecond);
            peerMode = peer.mode;
            peerMemory = std::max(peerMemory, peer.memoryMib);
        }
    }
    context.found({.bench = u"drain"_s,
                   .against = u"ceiling"_s,
                   .ratio = withCeiling.ratio(),
                   .wanted = 0.5,
                   .figures = figures(records, withCeiling, u"ceiling"_s, peak),
                   .missed = memoryMissed(peak)});
    if (context.peers) {
        auto all = figures(records, withPeer, u"graphile_worker"_s, peak);
        all.insert(u"graphile_worker_mode"_s, peerMode);
        all.insert(u"graphile_worker_peak_memory_mib"_s, peerMemory);
        context.found({.bench = u"drain"_s,
                       .against = u"graphile-worker"_s,
                       .ratio = withPeer.ratio(),
                       .wanted = 2.0,
                       .figures = all,
                       .missed = memoryMissed(peak)});
    }
    return Done{};
}

Result<Done, QString> againstNoSnapshot(const Context &context, const Database &database)
{
    const int records = context.sizes.snapshotRecords;
    Pairs pairs;
    double peak = 0;
    for (int i = 0; i < context.sizes.pairs; ++i) {
        context.progress(
            u"drain: round %1 of %2: with and without a held snapshot"_s.arg(i + 1).arg(context.sizes.pairs));
        OUTBOX_BENCH_TRY(without, drained(database, records));
        OUTBOX_BENCH_DO(refill(database, records, u"empty"_s));
        OUTBOX_BENCH_TRY(holder, SnapshotHolder::hold(database));
        OUTBOX_BENCH_TRY(
            with, drainWithEngine(database, {.records = records, .amqpUrl = {}, .httpUrl = {}, .concurrency = 0}));
        pairs.add(with.recordsPerSecond, without.recordsPerSecond);
        peak = std::max({peak, with.peakMemoryMib, without.peakMemoryMib});
    }
    context.found({.bench = u"drain"_s,
                   .against = u"no-snapshot"_s,
                   .ratio = pairs.ratio(),
                   .wanted = 0.9,
                   .figures = figures(records, pairs, u"no_snapshot"_s, peak),
                   .missed = memoryMissed(peak)});
    return Done{};
}

Result<Done, QString> againstNoHistory(const Context &context, const Database &young)
{
    const int records = context.sizes.records;
    OUTBOX_BENCH_TRY(old, context.cluster.make(u"history"_s));
    OUTBOX_BENCH_DO(refill(old, 1, u"empty"_s)); // makes the lane
    OUTBOX_BENCH_DO(old.text(u"empty"_s));
    context.progress(u"drain: making %1 dispatched records"_s.arg(context.sizes.historyRecords));
    OUTBOX_BENCH_DO(old.text(u"history"_s, {{u"records"_s, QString::number(context.sizes.historyRecords)},
                                            {u"payload"_s, QString::fromUtf8(payload())}}));
    Pairs pairs;
    double peak = 0;
    for (int i = 0; i < context.sizes.pairs; ++i) {
        context.progress(u"drain: round %1 of %2: with and without history"_s.arg(i + 1).arg(context.sizes.pairs));
        OUTBOX_BENCH_TRY(without, drained(young, records));
        OUTBOX_BENCH_TRY(with, drained(old, records, u"empty_work"_s));
        pairs.add(with.recordsPerSecond, without.recordsPerSecond);
        peak = std::max({peak, with.peakMemoryMib, without.peakMemoryMib});
    }
    auto all = figures(records, pairs, u"no_history"_s, peak);
    all.insert(u"history_records"_s, context.sizes.historyRecords);
    context.found({.bench = u"drain"_s,
                   .against = u"no-history"_s,
                   .ratio = pairs.ratio(),
                   .wanted = 0.9,
                   .figures = all,
                   .missed = memoryMissed(peak)});
    return Done{};
}

} // namespace

Result<Done, QString> benchDrain(const Context &context)
{
    OUTBOX_BENCH_TRY(database, context.cluster.make(u"drain"_s));
    if (auto done = againstCeilingAndPeer(context, database); !done) {
        return done;
    }
    if (auto done = againstNoSnapshot(context, database); !done) {
        return done;
    }
    return againstNoHistory(context, database);
}

} // namespace outbox::bench
