// SPDX-License-Identifier: Apache-2.0
#include "store/worker_store.h"

#include "store/pg_text.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSysInfo>

namespace outbox::store {

namespace {

Timestamp fromMicroseconds(qint64 count) { return Timestamp{std::chrono::microseconds{count}}; }

QString fencesOf(const std::vector<Held> &records)
{
    return arrayOfNumbers(records, [](const Held &held) { return held.fence.value(); });
}

/// A text that is never NULL: QtSql sends a null QString as one.
QString notNull(const QString &text) { return text.isNull() ? QStringLiteral("") : text; }

template <typename Range, typename Projection>
QString arrayOfIds(const Range &range, Projection projection)
{
    QString text = QStringLiteral("{");
    text.reserve(static_cast<qsizetype>(range.size()) * 37 + 2);
    for (const auto &each : range) {
        if (text.size() > 1)
            text += QLatin1Char(',');
        text += toText(projection(each));
    }
    return text + QLatin1Char('}');
}

QString idsOf(const std::vector<Held> &records)
{
    return arrayOfIds(records, [](const Held &held) { return held.id; });
}

/// The columns that every failed attempt brings, in the order of outbox.retry and outbox.dead_letter.
QVariantList columnsOf(WorkerId worker, const std::vector<FailedAttempt> &attempts)
{
    QStringList causes;
    QStringList summaries;
    QStringList took;
    for (const auto &attempt : attempts) {
        causes << QString::fromUtf8(causeName(attempt.cause).data());
        summaries << attempt.summary.simplified();
        took << interval(attempt.took);
    }
    return {worker.value(),
            arrayOfNumbers(attempts, [](const FailedAttempt &a) { return a.held.fence.value(); }),
            arrayOfIds(attempts, [](const FailedAttempt &a) { return a.held.id; }),
            arrayOfTexts(causes),
            arrayOfTexts(summaries),
            arrayOfTexts(took)};
}

QList<Header> parseHeaders(const QVariant &json)
{
    QList<Header> headers;
    if (json.isNull())
        return headers;
    const auto object = QJsonDocument::fromJson(json.toString().toUtf8()).object();
    for (auto it = object.begin(); it != object.end(); ++it)
        headers.append({it.key(), it.value().toString()});
    return headers;
}

ClaimedRecord readRecord(const QSqlQuery &row)
{
    ClaimedRecord record;
    record.message.id = MessageId(QUuid::fromString(row.value(1).toString()));
    record.lane = LaneId(row.value(2).toInt());
    record.attempt = row.value(3).toInt();
    record.nextAttemptAt = fromMicroseconds(row.value(4).toLongLong());
    const QByteArray kind = row.value(5).toString().toLatin1();
    record.message.kind =
        kindFromName(std::string_view(kind.constData(), static_cast<std::size_t>(kind.size())), row.value(6).toString())
            .value_or(ProviderSideEffect{});
    record.message.type = MessageType(row.value(7).toString());
    record.message.version = SchemaVersion(row.value(8).toInt());
    record.message.occurredAt = fromMicroseconds(row.value(9).toLongLong());
    record.message.tenant = row.value(10).toString();
    record.message.payload = row.value(11).toString().toUtf8();
    record.message.headers = parseHeaders(row.value(12));
    record.message.orderingKey = row.value(13).toString();
    return record;
}

} // namespace

Result<WorkerId, StoreError> WorkerStore::registerWorker(const QString &name, const QString &version,
                                                         const QStringList &destinations)
{
    auto query = connection_.run("register_worker",
                                 {notNull(name), QSysInfo::machineHostName(),
                                  static_cast<int>(QCoreApplication::applicationPid()), notNull(version),
                                  arrayOfTexts(destinations)},
                                 Effect::writes);
    if (!query)
        return query.error();
    (*query)->next();
    return WorkerId((*query)->value(0).toInt());
}

Result<Done, StoreError> WorkerStore::unregisterWorker(WorkerId worker)
{
    auto query = connection_.run("unregister_worker", {worker.value()}, Effect::writes);
    if (!query)
        return query.error();
    return Done{};
}

Result<bool, StoreError> WorkerStore::heartbeat(WorkerId worker)
{
    auto query = connection_.run("heartbeat", {worker.value()}, Effect::writes);
    if (!query)
        return query.error();
    return (*query)->next() && (*query)->value(0).toBool();
}

Result<Done, StoreError> WorkerStore::setRoutes(const QList<std::pair<QString, QString>> &routes)
{
    QStringList patterns;
    QStringList destinations;
    for (const auto &[pattern, destination] : routes) {
        patterns << pattern;
        destinations << destination;
    }
    auto query = connection_.run("set_routes", {arrayOfTexts(patterns), arrayOfTexts(destinations)}, Effect::writes);
    if (!query)
        return query.error();
    return Done{};
}

Result<Done, StoreError> WorkerStore::checkRights()
{
    auto query = connection_.run("may_work", {}, Effect::reads);
    if (!query)
        return query.error();
    if (!(*query)->next() || !(*query)->value(0).toBool())
        return StoreError(
            Unavailable{Unavailable::Why::no_rights,
                        QStringLiteral("%1 may not claim; grant outbox_worker to it").arg(connection_.sessionUser())});
    return Done{};
}

Result<std::vector<Lane>, StoreError> WorkerStore::lanes(const QStringList &destinations)
{
    auto query = connection_.run("lanes", {arrayOfTexts(destinations)}, Effect::reads);
    if (!query)
        return query.error();
    std::vector<Lane> found;
    while ((*query)->next())
        found.push_back(Lane{LaneId((*query)->value(0).toInt()), DestinationName((*query)->value(1).toString()),
                             MessageType((*query)->value(2).toString()), SchemaVersion((*query)->value(3).toInt())});
    return found;
}

Result<Claim, StoreError> WorkerStore::readClaim(const char *statement, const QVariantList &parameters)
{
    auto query = connection_.run(statement, parameters, Effect::writes);
    if (!query)
        return query.error();
    Claim claim;
    if ((*query)->size() > 0)
        claim.records.reserve(static_cast<std::size_t>((*query)->size()));
    while ((*query)->next()) {
        claim.fence = Fence((*query)->value(0).toLongLong());
        claim.records.push_back(readRecord(**query));
    }
    (*query)->finish();
    return claim;
}

Result<Claim, StoreError> WorkerStore::claim(WorkerId worker, milliseconds lease, const std::vector<LaneAsk> &asks)
{
    QStringList marks;
    for (const auto &ask : asks)
        marks << (ask.mark ? timestamp(*ask.mark) : QStringLiteral("-infinity"));
    return readClaim("claim", {worker.value(), interval(lease),
                               arrayOfNumbers(asks, [](const LaneAsk &ask) { return ask.lane.value(); }),
                               arrayOfNumbers(asks, [](const LaneAsk &ask) { return ask.most; }), arrayOfTexts(marks)});
}

Result<Claim, StoreError> WorkerStore::claimAny(WorkerId worker, milliseconds lease, const QHash<QString, int> &free,
                                                int batch)
{
    const int share = std::max(1, batch / std::max(1, static_cast<int>(free.size())));
    QStringList names;
    std::vector<int> rooms;
    for (const auto &[name, room] : free.asKeyValueRange()) {
        names << name;
        rooms.push_back(std::min(room, share));
    }
    return readClaim("claim_any", {arrayOfTexts(names), arrayOfNumbers(rooms, [](int room) { return room; }),
                                   worker.value(), interval(lease)});
}

Result<RefusedIds, StoreError> WorkerStore::readRefused(const char *statement, const QVariantList &parameters)
{
    auto query = connection_.run(statement, parameters, Effect::writes);
    if (!query)
        return query.error();
    RefusedIds refused;
    while ((*query)->next())
        refused.emplace_back(QUuid::fromString((*query)->value(0).toString()));
    return refused;
}

Result<RefusedIds, StoreError> WorkerStore::complete(WorkerId worker, const std::vector<Held> &records)
{
    return readRefused("complete", {worker.value(), fencesOf(records), idsOf(records)});
}

Result<RetryFates, StoreError> WorkerStore::retry(WorkerId worker, const std::vector<FailedAttempt> &attempts)
{
    QStringList delays;
    QStringList horizons;
    for (const auto &attempt : attempts) {
        delays << interval(attempt.delay);
        horizons << (attempt.horizon ? interval(*attempt.horizon) : QString());
    }
    auto query = connection_.run(
        "retry", columnsOf(worker, attempts) << arrayOfTexts(delays) << arrayOfNullableTexts(horizons), Effect::writes);
    if (!query)
        return query.error();
    RetryFates fates;
    while ((*query)->next()) {
        if ((*query)->value(1).toString() == QLatin1String("dead"))
            ++fates.dead;
        else
            fates.refused.emplace_back(QUuid::fromString((*query)->value(0).toString()));
    }
    return fates;
}

Result<RefusedIds, StoreError> WorkerStore::deadLetter(WorkerId worker, const std::vector<FailedAttempt> &attempts)
{
    return readRefused("dead_letter", columnsOf(worker, attempts));
}

Result<RefusedIds, StoreError> WorkerStore::release(WorkerId worker, const std::vector<Held> &records)
{
    return readRefused("release", {worker.value(), fencesOf(records), idsOf(records)});
}

Result<std::vector<Fence>, StoreError> WorkerStore::extendLeases(WorkerId worker, const std::vector<Fence> &fences,
                                                                 milliseconds lease)
{
    auto query = connection_.run(
        "extend_lease",
        {worker.value(), arrayOfNumbers(fences, [](const Fence &fence) { return fence.value(); }), interval(lease)},
        Effect::writes);
    if (!query)
        return query.error();
    std::vector<Fence> lost;
    while ((*query)->next())
        lost.emplace_back((*query)->value(0).toLongLong());
    return lost;
}

Result<Doze, StoreError> WorkerStore::doze(WorkerId worker, const std::vector<LaneId> &lanes)
{
    auto query = connection_.run(
        "doze", {worker.value(), arrayOfNumbers(lanes, [](const LaneId &lane) { return lane.value(); })},
        Effect::writes);
    if (!query)
        return query.error();
    Doze doze;
    if ((*query)->next()) {
        doze.quiet = (*query)->value(0).toBool();
        if (!(*query)->value(1).isNull())
            doze.nextDueIn = milliseconds{(*query)->value(1).toLongLong()};
    }
    return doze;
}

Result<Done, StoreError> WorkerStore::awake(WorkerId worker)
{
    auto query = connection_.run("awake", {worker.value()}, Effect::writes);
    if (!query)
        return query.error();
    return Done{};
}

} // namespace outbox::store
