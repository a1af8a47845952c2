// SPDX-License-Identifier: Apache-2.0
// What the records stand on: server, clock, roles, what keeps the server from cleaning up.
#include "operations/doctor_checks.h"

#include "operations/rows.h"

#include <cstdlib>

namespace outbox::operations {

using store::Effect;

namespace {

constexpr int oldestServer = 150000;
constexpr seconds clocksMayDiffer{5};
constexpr seconds longSnapshot{600};
constexpr qint64 manyTransactions = 1'000'000;

api::DoctorCheck checkClock(Timestamp database, Timestamp local, const QVariant &newest)
{
    const QString name = QStringLiteral("clock");
    if (!newest.isNull() && timestampOf(newest) > database + clocksMayDiffer)
        return problem(name,
                       QStringLiteral("the newest message was staged %1 in the future of the database's clock")
                           .arg(span(std::chrono::duration_cast<seconds>(timestampOf(newest) - database))),
                       QStringLiteral("the server's clock was set back; records staged before wait until it has "
                                      "caught up"));
    const auto apart = std::chrono::duration_cast<seconds>(database - local);
    if (std::abs(apart.count()) > clocksMayDiffer.count())
        return warning(name,
                       QStringLiteral("the database's clock and this machine's are %1 apart")
                           .arg(span(seconds(std::abs(apart.count())))),
                       QStringLiteral("leases and due times use the database's clock only, so nothing breaks; set up "
                                      "time synchronisation"));
    return good(name, QStringLiteral("the database's clock agrees with this machine's"));
}

} // namespace

DoctorChecks checkServer(store::Connection &connection, const DoctorSettings &settings)
{
    const auto ran = connection.run("doctor_server", {}, Effect::reads);
    if (!ran)
        return ran.error();
    auto &row = **ran;
    row.next();
    QList<api::DoctorCheck> checks;
    const QString versions = QStringLiteral("schema %1, PostgreSQL %2, program %3")
                                 .arg(row.value(2).toInt())
                                 .arg(row.value(1).toString().section(QLatin1Char(' '), 0, 0), settings.programVersion);
    if (row.value(0).toInt() < oldestServer)
        checks << problem(QStringLiteral("versions"), versions, QStringLiteral("PostgreSQL 15 or newer is needed"));
    else
        checks << good(QStringLiteral("versions"), versions);
    checks << checkClock(timestampOf(row.value(3)), settings.localNow, row.value(4));

    const QString vacuum = QStringLiteral("autovacuum");
    if (!row.value(5).toBool())
        checks << problem(vacuum, QStringLiteral("autovacuum is switched off in the server"),
                          QStringLiteral("set autovacuum = on and track_counts = on; without it the outbox grows "
                                         "slower every day"));
    else if (const QString tables = row.value(6).toString(); !tables.isEmpty())
        checks << problem(vacuum, QStringLiteral("autovacuum is switched off for ") + tables,
                          QStringLiteral("reset autovacuum_enabled of these tables"));
    else
        checks << good(vacuum, QStringLiteral("on"));

    const QString durability = QStringLiteral("durability");
    if (!row.value(8).toBool())
        checks << warning(durability,
                          QStringLiteral("fsync is off: a crash of the machine can lose or break the store"),
                          QStringLiteral("set fsync = on unless the data may be lost"));
    else if (row.value(7).toString() == QLatin1String("off"))
        checks << warning(durability,
                          QStringLiteral("synchronous_commit is off: a crash can lose the last commits, messages "
                                         "included, and deliver others again"),
                          QStringLiteral("set synchronous_commit = on where messages are staged"));
    else
        checks << good(durability, QStringLiteral("commits are on disk before they are confirmed"));
    if (row.value(10).toBool())
        checks << warning(QStringLiteral("standby"), QStringLiteral("this server is a standby: it can only be read"),
                          QStringLiteral("stage, dispatch and replay at the primary"));
    if (const QString editable = row.value(11).toString(); !editable.isEmpty())
        checks << problem(QStringLiteral("immutable"),
                          QStringLiteral("the trigger that keeps rows from being edited is disabled on ") + editable,
                          QStringLiteral("enable the trigger \"immutable\" of these tables again"));
    return checks;
}

DoctorChecks checkRoles(store::Connection &connection, const DoctorSettings &)
{
    const auto ran = connection.run("doctor_roles", {}, Effect::reads);
    if (!ran)
        return ran.error();
    auto &row = **ran;
    row.next();
    const QString login = row.value(0).toString();
    const QString roles = row.value(1).toString();
    if (row.value(2).toBool())
        return QList{
            good(QStringLiteral("roles"), QStringLiteral("%1 is a superuser and may do everything").arg(login))};
    return QList{good(QStringLiteral("roles"), QStringLiteral("%1 has %2").arg(login, roles))};
}

DoctorChecks checkSnapshots(store::Connection &connection, const DoctorSettings &)
{
    const QString name = QStringLiteral("snapshot");
    const auto roles = connection.run("doctor_roles", {}, Effect::reads);
    if (!roles)
        return roles.error();
    (*roles)->next();
    const bool seesAll = (*roles)->value(3).toBool();
    const auto ran = connection.run("doctor_snapshots", {}, Effect::reads);
    if (!ran)
        return ran.error();
    QList<api::DoctorCheck> checks;
    for (auto &row = **ran; row.next();) {
        const auto xids = row.value(2).toLongLong();
        const bool timed = !row.value(3).isNull();
        const seconds held(row.value(3).toLongLong());
        if (xids < manyTransactions && (!timed || held < longSnapshot))
            continue;
        checks << warning(name,
                          QStringLiteral("%1 %2 holds a snapshot%3, %4 back")
                              .arg(row.value(0).toString(), row.value(1).toString(),
                                   timed ? QStringLiteral(" of ") + span(held) : QString(),
                                   counted(xids, QStringLiteral("transaction"), QStringLiteral("transactions"))),
                          QStringLiteral("the server cannot clean up behind it and everything gets slower: end that "
                                         "session, transaction or slot"));
    }
    if (checks.isEmpty())
        checks << good(name, QStringLiteral("nothing holds an old snapshot"));
    if (!seesAll)
        checks << warning(name, QStringLiteral("sessions of other logins are hidden from this role"),
                          QStringLiteral("grant it pg_read_all_stats to see what they hold"));
    return checks;
}

} // namespace outbox::operations
