// SPDX-License-Identifier: Apache-2.0
// console: what an operator waits for on a full store: the first page of all records, and the jump to one by its id.
// These are the window's own questions, asked as it asks them; what is not measured is the window, which ui_records
// does with its heartbeat.

#include "bench.h"
#include "cluster.h"
#include "operations/record_detail.h"
#include "operations/record_list.h"
#include "series.h"

#include <QElapsedTimer>

#include <algorithm>

namespace outbox::bench {

using namespace Qt::StringLiterals;

namespace {

constexpr double limitMs = 100; ///< for each of the two
constexpr int pageSize = 200;   ///< the window's
constexpr int rounds = 20;

/// A tenth of the records waits, the rest was dispatched.
Result<Done, QString> fill(const Database &database, int records)
{
    const int waiting = std::max(1, records / 10);
    const auto text = QString::fromUtf8(payload());
    OUTBOX_BENCH_DO(database.text(u"fill"_s, {{u"records"_s, QString::number(waiting)}, {u"payload"_s, text}}));
    OUTBOX_BENCH_DO(database.text(
        u"history"_s, {{u"records"_s, QString::number(std::max(1, records - waiting))}, {u"payload"_s, text}}));
    return Done{};
}

Result<QList<MessageId>, QString> spreadIds(const Database &database, int records)
{
    OUTBOX_BENCH_TRY(out, database.text(u"console_ids"_s, {{u"records"_s, QString::number(records)},
                                                           {u"count"_s, QString::number(rounds)}}));
    QList<MessageId> ids;
    for (const auto &line : out.trimmed().split('\n')) {
        ids << MessageId(QUuid::fromString(QString::fromUtf8(line)));
    }
    return ids;
}

/// Milliseconds of one question and its whole answer, the way to the server and back included.
Result<double, QString> timed(const std::function<Result<Done, QString>()> &question)
{
    QElapsedTimer timer;
    timer.start();
    OUTBOX_BENCH_DO(question());
    return double(timer.nsecsElapsed()) / 1e6;
}

Result<Done, QString> firstPage(store::Connection &connection, int records)
{
    const auto page = operations::recordList(connection, {}, std::nullopt, pageSize);
    if (!page) {
        return store::describe(page.error());
    }
    if (page->rows.size() != std::min(records, pageSize)) {
        return u"the first page has %1 records"_s.arg(page->rows.size());
    }
    return Done{};
}

Result<Done, QString> jumpTo(store::Connection &connection, const MessageId &id)
{
    const auto found = operations::recordDetail(connection, id);
    if (!found) {
        return store::describe(found.error());
    }
    if (!found->has_value()) {
        return u"no record has the id %1"_s.arg(toText(id));
    }
    return Done{};
}

} // namespace

Result<Done, QString> benchConsole(const Context &context)
{
    const int records = context.sizes.consoleRecords;
    OUTBOX_BENCH_TRY(database, context.cluster.make(u"console"_s));
    context.progress(u"console: making %1 records"_s.arg(records));
    OUTBOX_BENCH_DO(fill(database, records));
    OUTBOX_BENCH_TRY(ids, spreadIds(database, records));
    auto connection = store::Connection::open(database.address(), {.purpose = u"outbox-bench"_s});
    if (!connection) {
        return store::describe(connection.error());
    }
    std::vector<double> pages;
    std::vector<double> jumps;
    for (const auto &id : std::as_const(ids)) {
        OUTBOX_BENCH_TRY(page, timed([&] { return firstPage(**connection, records); }));
        OUTBOX_BENCH_TRY(jump, timed([&] { return jumpTo(**connection, id); }));
        pages.push_back(page);
        jumps.push_back(jump);
    }
    context.found({.bench = u"console"_s,
                   .against = u"100-ms"_s,
                   .ratio = limitMs / std::max(median(pages), median(jumps)),
                   .wanted = 1.0,
                   .figures = {{u"records"_s, records},
                               {u"page_size"_s, pageSize},
                               {u"first_page_ms"_s, rounded(median(pages), 2)},
                               {u"first_page_worst_ms"_s, rounded(*std::max_element(pages.begin(), pages.end()), 2)},
                               {u"jump_to_id_ms"_s, rounded(median(jumps), 2)},
                               {u"jump_to_id_worst_ms"_s, rounded(*std::max_element(jumps.begin(), jumps.end()), 2)}},
                   .missed = {}});
    return Done{};
}

} // namespace outbox::bench
