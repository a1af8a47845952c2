// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QTest>

#include <map>

using namespace outbox::test;

namespace {

struct Who {
    Login login;
    const char *role;
};
const QList<Who> everybody{{Login::writer, "outbox_writer"},
                           {Login::worker, "outbox_worker"},
                           {Login::operator_, "outbox_operator"},
                           {Login::viewer, "outbox_viewer"},
                           {Login::stranger, "none"}};

const QString noRights = QStringLiteral("42501");

/// What each role may call, by name; the operator may do what a viewer may.
QStringList mayCall(Login login)
{
    switch (login) {
    case Login::writer: return {QStringLiteral("stage")};
    case Login::worker:
        return {QStringLiteral("register_worker"), QStringLiteral("heartbeat"),     QStringLiteral("unregister_worker"),
                QStringLiteral("claim"),           QStringLiteral("complete"),      QStringLiteral("retry"),
                QStringLiteral("dead_letter"),     QStringLiteral("release"),       QStringLiteral("extend_lease"),
                QStringLiteral("release_expired"), QStringLiteral("doze"),          QStringLiteral("awake"),
                QStringLiteral("sweep_sleepers"),  QStringLiteral("set_route"),     QStringLiteral("set_routes"),
                QStringLiteral("route_lanes"),     QStringLiteral("roll_up_tally"), QStringLiteral("ensure_partitions"),
                QStringLiteral("uuid_at"),         QStringLiteral("uuid_time")};
    case Login::operator_:
        return {QStringLiteral("replay"),
                QStringLiteral("apply_specifications"),
                QStringLiteral("set_unspecified"),
                QStringLiteral("pause"),
                QStringLiteral("resume"),
                QStringLiteral("set_limits"),
                QStringLiteral("skip"),
                QStringLiteral("uuid_at"),
                QStringLiteral("uuid_time")};
    case Login::viewer: return {QStringLiteral("uuid_at"), QStringLiteral("uuid_time")};
    case Login::superuser:
    case Login::stranger: break;
    }
    return {};
}

} // namespace

/// Every forbidden thing, tried as every role: the functions are the only way in.
class RolesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        Scene scene(store_);
        const QString id = scene.stage();
        const auto claim = scene.claim();
        scene.deadLetter(claim.fence, claim.ids, QStringLiteral("rejected"), QStringLiteral("422"));
    }

    void nobodyChangesATable_data() { addEverybody(); }

    void nobodyChangesATable() // S21 S23
    {
        auto session = sessionOf();
        const auto tables =
            store_.rows(QStringLiteral("select c.oid::regclass::text, a.attname from pg_class c join pg_attribute a on "
                                       "a.attrelid = c.oid and a.attnum = 1"
                                       " where c.relnamespace = 'outbox'::regnamespace and c.relkind in ('r', 'p')"));
        QVERIFY(tables.size() > 25); // partitions, too
        for (const auto &row : tables) {
            const QString table = row[0].toString();
            const QString column = row[1].toString();
            for (const auto &sql :
                 {QStringLiteral("insert into %1 overriding system value select * from %1").arg(table),
                  QStringLiteral("insert into %1 default values").arg(table),
                  QStringLiteral("update %1 set %2 = default").arg(table, column),
                  QStringLiteral("delete from %1").arg(table), QStringLiteral("truncate %1").arg(table),
                  QStringLiteral("do $$ begin lock table %1 in access exclusive mode; end $$").arg(table),
                  QStringLiteral("alter table %1 disable trigger all").arg(table),
                  QStringLiteral("drop table %1").arg(table),
                  QStringLiteral("create trigger mine before insert on %1 execute function outbox.refuse_edit()")
                      .arg(table)})
                QVERIFY2(sqlState(session, sql) == noRights,
                         qPrintable(sql + QStringLiteral(": ") + sqlState(session, sql)));
        }
        QVERIFY(store_.value(QStringLiteral("select count(*) from outbox.message")).toInt() > 0);
    }

    void onlyWhoMayLookLooks_data() { addEverybody(); }

    void onlyWhoMayLookLooks()
    {
        QFETCH(Login, login);
        auto session = sessionOf();
        QStringList seen;
        for (const auto &table : {QStringLiteral("message"), QStringLiteral("pending"), QStringLiteral("dispatched"),
                                  QStringLiteral("dead_letter"), QStringLiteral("attempt"), QStringLiteral("replay"),
                                  QStringLiteral("lease"), QStringLiteral("tally")})
            if (sqlState(session, QStringLiteral("select * from outbox.") + table).isEmpty())
                seen << table;
        const bool mayLook = login == Login::viewer || login == Login::operator_;
        QCOMPARE(seen.size(), mayLook ? 8 : 0);
    }

    void eachRoleCallsItsOwnFunctionsOnly_data() { addEverybody(); }

    void eachRoleCallsItsOwnFunctionsOnly()
    {
        QFETCH(Login, login);
        auto session = sessionOf();
        QSqlQuery query(session);
        const auto functions = store_.rows(
            QStringLiteral("select p.oid, p.proname, p.oid::regprocedure::text,"
                           " (select coalesce(string_agg('null::' || format_type(t, null), ', ' order by place), '')"
                           "    from unnest(p.proargtypes) with ordinality as a(t, place)), p.prorettype <> "
                           "'trigger'::regtype and not p.proisstrict and p.provariadic = 0"
                           "  from pg_proc p where p.pronamespace = 'outbox'::regnamespace"));
        QVERIFY(functions.size() > 25);
        for (const auto &row : functions) {
            const QString name = row[1].toString();
            const bool granted = mayCall(login).contains(name);
            QVERIFY(query.exec(QStringLiteral("select has_function_privilege(session_user, %1::oid, 'execute')")
                                   .arg(row[0].toUInt())) &&
                    query.next());
            QVERIFY2(query.value(0).toBool() == granted, qPrintable(row[2].toString()));
            if (!granted && row[4].toBool())
                QVERIFY2(sqlState(session, QStringLiteral("select outbox.%1(%2)").arg(name, row[3].toString())) ==
                             noRights,
                         qPrintable(row[2].toString()));
        }
    }

    void nobodyBecomesSomebodyElse_data() { addEverybody(); }

    void nobodyBecomesSomebodyElse()
    {
        QFETCH(Login, login);
        auto session = sessionOf();
        const QString owner = store_.value(QStringLiteral("select current_user")).toString();
        QVERIFY(!sqlState(session, QStringLiteral("set session authorization %1").arg(owner)).isEmpty());
        QVERIFY(!sqlState(session, QStringLiteral("set role %1").arg(owner)).isEmpty());
        for (const auto &other : everybody) {
            if (other.login == login || other.login == Login::stranger ||
                (login == Login::operator_ && other.login == Login::viewer))
                continue;
            QVERIFY2(!sqlState(session, QStringLiteral("set role %1").arg(QLatin1String(other.role))).isEmpty(),
                     other.role);
            QVERIFY(!sqlState(session, QStringLiteral("grant %1 to session_user").arg(QLatin1String(other.role)))
                         .isEmpty());
        }
        for (const auto &sql :
             {QStringLiteral("create function outbox.mine() returns void language sql as 'select'"),
              QStringLiteral("create table outbox.mine (x integer)"), QStringLiteral("create schema mine"),
              QStringLiteral("alter schema outbox rename to theirs"),
              QStringLiteral("alter function outbox.uuid_time(uuid) security invoker"),
              QStringLiteral("grant outbox_operator to test_writer"), QStringLiteral("create role mine")})
            QVERIFY2(!sqlState(session, sql).isEmpty(), qPrintable(sql));
        for (const auto &sequence : {QStringLiteral("fence"), QStringLiteral("sleepers")})
            for (const auto &sql :
                 {QStringLiteral("select nextval('outbox.%1')"), QStringLiteral("select setval('outbox.%1', 1)")})
                QVERIFY2(!sqlState(session, sql.arg(sequence)).isEmpty(), qPrintable(sql.arg(sequence)));
    }

    /// A definer function that looked names up in the caller's path would run the caller's objects as the owner.
    void theCallersSearchPathIsNotFollowed()
    {
        const auto hijack = [&](Login login, const QString &call) {
            auto session = store_.connect(login);
            QSqlQuery query(session);
            for (const auto &sql :
                 {QStringLiteral("create temp table if not exists message (like pg_class)"),
                  QStringLiteral(
                      "create temp table if not exists lane (lane integer, type text, schema_version integer)"),
                  QStringLiteral("create temp table if not exists dead_letter (id uuid)"),
                  QStringLiteral("create temp table if not exists pending (id uuid)"),
                  QStringLiteral(
                      "create or replace function pg_temp.clock_timestamp() returns timestamptz language sql as"
                      " $$ select timestamptz '1999-01-01' $$"),
                  QStringLiteral("create or replace function pg_temp.gen_random_uuid() returns uuid language sql as"
                                 " $$ select null::uuid $$"),
                  QStringLiteral("set search_path = pg_temp, pg_catalog")})
                if (!query.exec(sql))
                    return query.lastError().text();
            return query.exec(call) ? QString() : query.lastError().text();
        };
        const int before = store_.value(QStringLiteral("select count(*) from outbox.message")).toInt();
        QCOMPARE(
            hijack(Login::writer, QStringLiteral("select outbox.stage('provider_side_effect', 'h', 1, '{}'::text)")),
            QString());
        QCOMPARE(store_.value(QStringLiteral("select count(*) from outbox.message")).toInt(), before + 1);
        QVERIFY(store_
                    .value(QStringLiteral("select staged_at > now() - interval '1 minute' from outbox.message"
                                          " where type = 'h'"))
                    .toBool());
        QCOMPARE(hijack(Login::operator_, QStringLiteral("select * from outbox.replay(array[gen_random_uuid()], 'x')")),
                 QString());
        QCOMPARE(store_
                     .value(QStringLiteral(
                         "select string_agg(p.oid::regprocedure::text, ', ') from pg_proc p"
                         " where p.pronamespace = 'outbox'::regnamespace and p.prosecdef and not exists"
                         " (select from unnest(p.proconfig) c where c like 'search_path=outbox, pg_temp')"))
                     .toString(),
                 QString());
    }

    void theAuditNamesTheLogin() // S23
    {
        const QString id = store_.value(QStringLiteral("select id::text from outbox.dead_letter limit 1")).toString();
        auto session = store_.connect(Login::operator_);
        QSqlQuery query(session);
        QVERIFY(query.exec(QStringLiteral("set role outbox_operator"))); // its own role: allowed
        QVERIFY(query.exec(QStringLiteral("set application_name = 'somebody else'")));
        QVERIFY(query.exec(QStringLiteral("select outbox.replay(array['%1']::uuid[], 'fixed')").arg(id)));
        QCOMPARE(store_.value(QStringLiteral("select actor from outbox.replay where id = ?::uuid"), {id}).toString(),
                 QStringLiteral("test_operator"));
    }

private:
    static void addEverybody()
    {
        QTest::addColumn<Login>("login");
        for (const auto &who : everybody)
            QTest::newRow(who.role) << who.login;
    }

    /// One session for each login, so that hundreds of tries are quick.
    QSqlDatabase sessionOf()
    {
        QFETCH(Login, login);
        auto &name = sessions_[login];
        if (name.isEmpty())
            name = store_.connect(login).connectionName();
        return QSqlDatabase::database(name);
    }

    /// Executed as it stands, not prepared: commands like LOCK cannot be.
    static QString sqlState(QSqlDatabase session, const QString &sql)
    {
        QSqlQuery query(session);
        return query.exec(sql) ? QString() : query.lastError().nativeErrorCode();
    }

    TestStore store_;
    std::map<Login, QString> sessions_;
};

QTEST_GUILESS_MAIN(RolesTest)

#include "roles_test.moc"
