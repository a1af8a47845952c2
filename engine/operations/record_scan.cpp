// SPDX-License-Identifier: Apache-2.0
#include "operations/record_scan.h"

#include "operations/rows.h"

#include <algorithm>

namespace outbox::operations {

namespace {

/// One statement's answer.
struct Stretch {
    int scanned = 0;
    QUuid reached;
    QList<api::RecordRow> rows;
};

api::RecordRow rowOf(const QSqlQuery &row)
{
    return {idOf(row.value(2)),
            timestampOf(row.value(3)),
            row.value(4).toString(),
            row.value(5).toString(),
            row.value(6).toInt(),
            row.value(7).toString(),
            row.value(8).toString(),
            stateOf({row.value(9), row.value(10), row.value(11), row.value(12), row.value(13), row.value(14),
                     row.value(15)})};
}

Result<Stretch, store::StoreError> stretch(store::Connection &connection, const RecordSource &source,
                                           const IdRange &range, int ids, int limit)
{
    QVariantList parameters{range.low.toString(QUuid::WithoutBraces), range.high.toString(QUuid::WithoutBraces), ids};
    parameters << source.filters << limit;
    const auto ran = connection.run(source.statement, parameters, store::Effect::reads);
    if (!ran)
        return ran.error();
    Stretch answer;
    for (auto &row = **ran; row.next();) {
        answer.scanned = row.value(0).toInt();
        answer.reached = idOf(row.value(1)).value();
        if (!row.value(2).isNull())
            answer.rows << rowOf(row);
    }
    return answer;
}

} // namespace

Result<Scanned, store::StoreError> scan(store::Connection &connection, const RecordSource &source,
                                        const std::vector<IdRange> &ranges, int limit, int budget)
{
    Scanned answer;
    int left = std::max(budget, limit + 1);
    int step = limit + 1;
    for (IdRange range : ranges) {
        for (;;) {
            const int ids = std::min(step, left);
            const int missing = limit + 1 - static_cast<int>(answer.rows.size());
            const auto found = stretch(connection, source, range, ids, missing);
            if (!found)
                return found.error();
            answer.rows << found->rows;
            if (answer.rows.size() > limit) {
                answer.rows.resize(limit);
                answer.reached = answer.rows.constLast().id.value();
                return answer;
            }
            if (found->scanned < ids || found->reached == range.low)
                break;
            left -= found->scanned;
            if (left <= 0) {
                answer.reached = found->reached;
                return answer;
            }
            range.high = idBelow(found->reached);
            step = std::min(step * 8, budget);
        }
    }
    return answer;
}

api::RecordPage pageOf(const QList<Scanned> &sources, int limit)
{
    std::optional<QUuid> reached;
    QList<api::RecordRow> rows;
    for (const auto &source : sources) {
        rows << source.rows;
        if (source.reached && (!reached || isListedBefore(*source.reached, *reached)))
            reached = source.reached;
    }
    if (reached)
        rows.removeIf([&](const api::RecordRow &row) { return isListedBefore(*reached, row.id.value()); });
    // A record that moved on between two statements was seen twice: the later look is right.
    std::stable_sort(rows.begin(), rows.end(), [](const api::RecordRow &a, const api::RecordRow &b) {
        return isListedBefore(a.id.value(), b.id.value());
    });
    api::RecordPage page;
    for (const auto &row : std::as_const(rows)) {
        if (!page.rows.isEmpty() && page.rows.constLast().id == row.id)
            page.rows.last() = row;
        else
            page.rows << row;
    }
    if (page.rows.size() > limit) {
        page.rows.resize(limit);
        reached = page.rows.constLast().id.value();
    }
    if (reached)
        page.next = api::RecordCursor{MessageId(*reached)};
    return page;
}

} // namespace outbox::operations
