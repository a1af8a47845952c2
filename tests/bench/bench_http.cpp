// SPDX-License-Identifier: Apache-2.0
// http: the engine's HTTP destination with the whole engine behind it, against a client that only posts, with
// the same library, endpoint, payload, headers and concurrency.

#include "bare_http.h"
#include "bench.h"
#include "cluster.h"
#include "engine_child.h"
#include "series.h"
#include "support/servers/http_receiver.h"

#include <QElapsedTimer>

#include <atomic>

namespace outbox::bench {

using namespace Qt::StringLiterals;

namespace {

constexpr int concurrency = 16;

} // namespace

Result<Done, QString> benchHttp(const Context &context)
{
    const int records = context.sizes.posted;
    OUTBOX_BENCH_TRY(database, context.cluster.make(u"http"_s));
    std::atomic<int> received = 0;
    servers::HttpReceiver receiver([&received](const QByteArray &) { ++received; });
    Pairs pairs;
    for (int i = 0; i < context.sizes.pairs; ++i) {
        context.progress(u"http: round %1 of %2"_s.arg(i + 1).arg(context.sizes.pairs));
        QElapsedTimer clock;
        clock.start();
        OUTBOX_BENCH_DO(postBare(receiver.url(), records, concurrency, payload()));
        const double bare = records / (double(clock.nsecsElapsed()) / 1e9);

        OUTBOX_BENCH_DO(database.text(u"empty"_s));
        OUTBOX_BENCH_DO(database.text(
            u"fill"_s, {{u"records"_s, QString::number(records)}, {u"payload"_s, QString::fromUtf8(payload())}}));
        received = 0;
        OUTBOX_BENCH_TRY(engine, drainWithEngine(database, {.records = records,
                                                            .amqpUrl = {},
                                                            .httpUrl = receiver.url().toStdString(),
                                                            .concurrency = concurrency}));
        if (received != records) {
            return u"%1 records were posted %2 times"_s.arg(records).arg(received.load());
        }
        pairs.add(engine.recordsPerSecond, bare);
    }
    context.found({.bench = u"http"_s,
                   .against = u"bare-publisher"_s,
                   .ratio = pairs.ratio(),
                   .wanted = 0.5,
                   .figures = {{u"records"_s, records},
                               {u"payload_bytes"_s, int(payload().size())},
                               {u"concurrency"_s, concurrency},
                               {u"engine_records_per_second"_s, rounded(pairs.ours(), 0)},
                               {u"bare_records_per_second"_s, rounded(pairs.theirs(), 0)},
                               {u"pair_ratios"_s, pairs.ratios()}},
                   .missed = {}});
    return Done{};
}

} // namespace outbox::bench
