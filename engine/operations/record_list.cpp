// SPDX-License-Identifier: Apache-2.0
#include "operations/record_list.h"

#include "operations/record_scan.h"
#include "operations/rows.h"

#include <algorithm>

namespace outbox::operations {

namespace {

constexpr int longestPage = 500;

QVariant unlessEmpty(const QString &text)
{
    return textOrNull(text.isEmpty() ? std::nullopt : std::optional<QString>(text));
}

RecordSource sourceOf(StateKind state, const api::RecordFilter &filter)
{
    const QVariantList byLane{unlessEmpty(filter.type), unlessEmpty(filter.destination)};
    const QVariant tenant = unlessEmpty(filter.tenant);
    switch (state) {
    case StateKind::pending: return {"records_pending", QVariantList(byLane) << tenant};
    case StateKind::processing: return {"records_processing", QVariantList(byLane) << tenant};
    case StateKind::dispatched: return {"records_dispatched", QVariantList(byLane) << tenant};
    case StateKind::dead_letter:
        return {"records_dead_letter", QVariantList(byLane)
                                           << QVariant(QMetaType::fromType<int>()) << textOrNull({}) << tenant};
    }
    return {};
}

QList<RecordSource> sourcesOf(const api::RecordFilter &filter)
{
    const QList<StateKind> alongALife{StateKind::pending, StateKind::processing, StateKind::dispatched,
                                      StateKind::dead_letter};
    if (filter.states.isEmpty() || filter.states.size() == alongALife.size())
        return {
            {"records_all", {unlessEmpty(filter.type), unlessEmpty(filter.tenant), unlessEmpty(filter.destination)}}};
    QList<RecordSource> sources;
    for (const auto state : alongALife)
        if (filter.states.contains(state))
            sources << sourceOf(state, filter);
    return sources;
}

Result<api::RecordPage, store::StoreError> page(store::Connection &connection, const QList<RecordSource> &sources,
                                                const std::optional<api::RecordCursor> &cursor, int limit, int budget)
{
    const int rows = std::clamp(limit, 1, longestPage);
    const auto ranges = rangesAfter(cursor);
    QList<Scanned> all;
    for (const auto &source : sources) {
        auto scanned = scan(connection, source, ranges, rows, budget);
        if (!scanned)
            return scanned.error();
        all << std::move(scanned).value();
    }
    return pageOf(all, rows);
}

} // namespace

Result<api::RecordPage, store::StoreError> recordList(store::Connection &connection, const api::RecordFilter &filter,
                                                      const std::optional<api::RecordCursor> &cursor, int limit,
                                                      int budget)
{
    return page(connection, sourcesOf(filter), cursor, limit, budget);
}

Result<api::RecordPage, store::StoreError> deadLetterList(store::Connection &connection,
                                                          const std::optional<api::DeadLetterGroup> &group,
                                                          const std::optional<api::RecordCursor> &cursor, int limit,
                                                          int budget)
{
    if (!group)
        return page(connection, {sourceOf(StateKind::dead_letter, {})}, cursor, limit, budget);
    const RecordSource source{"records_dead_letter",
                              {group->type,
                               textOrNull(group->destination.isNull() ? QStringLiteral("") : group->destination),
                               group->version, QString::fromUtf8(causeName(group->cause).data()), textOrNull({})}};
    return page(connection, {source}, cursor, limit, budget);
}

} // namespace outbox::operations
