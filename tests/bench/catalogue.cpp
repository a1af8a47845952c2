// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <algorithm>

namespace outbox::bench {

using namespace Qt::StringLiterals;

std::vector<Bench> catalogue()
{
    return {
        {u"drain"_s,
         u"the engine with a destination in its own process, against the ceiling of the same schema, "
         "graphile-worker, a held snapshot and a long history"_s,
         benchDrain},
        {u"stage"_s, u"a business transaction with stage() in it, against a plain insert and add_job"_s, benchStage},
        {u"amqp"_s, u"the engine delivering to RabbitMQ, against a bare publisher with confirms"_s, benchAmqp},
        {u"http"_s, u"the engine delivering to an HTTP endpoint, against a bare client"_s, benchHttp},
        {u"console"_s, u"the console's first page and its jump to an id on a full store, against 100 ms"_s,
         benchConsole},
    };
}

Sizes Sizes::quick()
{
    return {.records = 3000,
            .snapshotRecords = 3000,
            .historyRecords = 5000,
            .consoleRecords = 5000,
            .published = 1500,
            .posted = 500,
            .stageSeconds = 1,
            .pairs = 1};
}

Sizes Sizes::scaled(int percent) const
{
    auto scaled = *this;
    for (int *size : {&scaled.records, &scaled.snapshotRecords, &scaled.historyRecords, &scaled.consoleRecords,
                      &scaled.published, &scaled.posted, &scaled.stageSeconds}) {
        *size = std::max(1, int(qint64(*size) * percent / 100));
    }
    return scaled;
}

} // namespace outbox::bench
