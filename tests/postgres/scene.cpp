// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

namespace outbox::test {

namespace {

QString repeated(const QString &text, qsizetype times)
{
    QStringList all;
    all.fill(text, times);
    return arrayOf(all);
}

} // namespace

QString arrayOf(const QStringList &texts)
{
    QStringList quoted;
    for (const auto &text : texts)
        quoted << QLatin1Char('"') + text + QLatin1Char('"');
    return QLatin1Char('{') + quoted.join(QLatin1Char(',')) + QLatin1Char('}');
}

Scene::Scene(TestStore &store) : store_(store) { worker_ = registerWorker(QStringLiteral("scene")); }

int Scene::registerWorker(const QString &name)
{
    return store_.value(QStringLiteral("select outbox.register_worker(?, 'here', 1, '0', '{}')"), {name}).toInt();
}

void Scene::route(const QString &pattern, const QString &destination)
{
    store_.run(QStringLiteral("select outbox.set_route(?, ?)"), {pattern, destination});
}

Scene::Claimed Scene::claimAs(int worker, int most, int leaseSeconds)
{
    Claimed claimed;
    const auto rows =
        store_.rows(QStringLiteral("select fence, id::text from outbox.claim(?, make_interval(secs => ?),"
                                   " array(select lane from outbox.lane), array(select ?::integer from outbox.lane),"
                                   " array(select '-infinity'::timestamptz from outbox.lane)) order by id"),
                    {worker, leaseSeconds, most});
    for (const auto &row : rows) {
        claimed.fence = row[0].toLongLong();
        claimed.ids << row[1].toString();
    }
    return claimed;
}

QStringList Scene::outcome(const QString &call, qint64 fence, const QStringList &ids, const QVariantList &more)
{
    QVariantList parameters{worker_, repeated(QString::number(fence), ids.size()), arrayOf(ids)};
    parameters << more;
    QStringList refused;
    for (const auto &row : store_.rows(call, parameters))
        refused << row[0].toString();
    return refused;
}

QStringList Scene::complete(qint64 fence, const QStringList &ids)
{
    return outcome(QStringLiteral("select complete::text from outbox.complete(?, ?::bigint[], ?::uuid[])"), fence, ids,
                   {});
}

QStringList Scene::retry(qint64 fence, const QStringList &ids, int delaySeconds, const QString &cause,
                         const QString &why, std::optional<int> horizonSeconds)
{
    const QString horizon =
        horizonSeconds ? QStringLiteral("%1 seconds").arg(*horizonSeconds) : QStringLiteral("1000 years");
    return outcome(QStringLiteral("select id::text from outbox.retry(?, ?::bigint[], ?::uuid[], ?::text[],"
                                  " ?::text[], ?::interval[], ?::interval[], ?::interval[]) where fate = 'refused'"),
                   fence, ids,
                   {repeated(cause, ids.size()), repeated(why, ids.size()),
                    repeated(QStringLiteral("10 milliseconds"), ids.size()),
                    repeated(QStringLiteral("%1 seconds").arg(delaySeconds), ids.size()),
                    repeated(horizon, ids.size())});
}

QStringList Scene::deadLetter(qint64 fence, const QStringList &ids, const QString &cause, const QString &why)
{
    return outcome(QStringLiteral("select dead_letter::text from outbox.dead_letter(?, ?::bigint[], ?::uuid[],"
                                  " ?::text[], ?::text[], ?::interval[])"),
                   fence, ids,
                   {repeated(cause, ids.size()), repeated(why, ids.size()),
                    repeated(QStringLiteral("10 milliseconds"), ids.size())});
}

QStringList Scene::release(qint64 fence, const QStringList &ids)
{
    return outcome(QStringLiteral("select release::text from outbox.release(?, ?::bigint[], ?::uuid[])"), fence, ids,
                   {});
}

QString Scene::stateOf(const QString &id)
{
    return store_
        .value(QStringLiteral("select count(*) || ' ' || coalesce(min(state), '') from ("
                              " select 'pending' as state from outbox.pending where id = ?::uuid union all"
                              " select 'processing' from outbox.processing where id = ?::uuid union all"
                              " select 'dispatched' from outbox.dispatched where id = ?::uuid union all"
                              " select 'dead_letter' from outbox.dead_letter where id = ?::uuid) s"),
               {id, id, id, id})
        .toString();
}

} // namespace outbox::test
