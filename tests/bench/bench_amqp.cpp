// SPDX-License-Identifier: Apache-2.0
// amqp: the engine's AMQP destination with the whole engine behind it, against a publisher that does nothing
// but publish, with the same library, broker, queue, payload, properties, confirms and window.

#include "bench.h"
#include "cluster.h"
#include "engine_child.h"
#include "series.h"
#include "support/servers/amqp_session.h"
#include "support/servers/rabbit_node.h"

#include <QElapsedTimer>
#include <QUuid>

namespace outbox::bench {

using namespace Qt::StringLiterals;

namespace {

constexpr int window = 256;
const auto queue = u"outbox-bench"_s;

Result<double, QString> publishBare(int port, int records)
{
    OUTBOX_BENCH_TRY(session, servers::AmqpSession::open(port));
    OUTBOX_BENCH_DO(session->makeQueue(queue));
    QElapsedTimer clock;
    clock.start();
    OUTBOX_BENCH_DO(session->publish(queue, records, window, payload(),
                                     [](int) { return QUuid::createUuid().toByteArray(QUuid::WithoutBraces); }));
    return records / (double(clock.nsecsElapsed()) / 1e9);
}

Result<double, QString> publishWithEngine(const Database &database, const servers::RabbitNode &node, int records)
{
    OUTBOX_BENCH_TRY(session, servers::AmqpSession::open(node.port()));
    OUTBOX_BENCH_DO(session->makeQueue(queue));
    OUTBOX_BENCH_DO(database.text(u"empty"_s));
    OUTBOX_BENCH_DO(database.text(
        u"fill"_s, {{u"records"_s, QString::number(records)}, {u"payload"_s, QString::fromUtf8(payload())}}));
    OUTBOX_BENCH_TRY(
        engine,
        drainWithEngine(
            database, {.records = records, .amqpUrl = node.url().toStdString(), .httpUrl = {}, .concurrency = window}));
    return engine.recordsPerSecond;
}

} // namespace

Result<Done, QString> benchAmqp(const Context &context)
{
    const int records = context.sizes.published;
    OUTBOX_BENCH_TRY(database, context.cluster.make(u"amqp"_s));
    context.progress(u"amqp: starting RabbitMQ"_s);
    OUTBOX_BENCH_TRY(node, servers::RabbitNode::start());
    Pairs pairs;
    for (int i = 0; i < context.sizes.pairs; ++i) {
        context.progress(u"amqp: round %1 of %2"_s.arg(i + 1).arg(context.sizes.pairs));
        OUTBOX_BENCH_TRY(bare, publishBare(node->port(), records));
        OUTBOX_BENCH_TRY(engine, publishWithEngine(database, *node, records));
        pairs.add(engine, bare);
    }
    context.found({.bench = u"amqp"_s,
                   .against = u"bare-publisher"_s,
                   .ratio = pairs.ratio(),
                   .wanted = 0.5,
                   .figures = {{u"records"_s, records},
                               {u"payload_bytes"_s, int(payload().size())},
                               {u"window"_s, window},
                               {u"engine_records_per_second"_s, rounded(pairs.ours(), 0)},
                               {u"bare_records_per_second"_s, rounded(pairs.theirs(), 0)},
                               {u"pair_ratios"_s, pairs.ratios()}},
                   .missed = {}});
    return Done{};
}

} // namespace outbox::bench
