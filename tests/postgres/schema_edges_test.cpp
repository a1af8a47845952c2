// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

#include <memory>

using namespace outbox::test;

namespace {

QString errorOf(QSqlDatabase database, const QString &sql)
{
    QSqlQuery query(database);
    return query.exec(sql) ? QString()
                           : query.lastError().nativeErrorCode() + QLatin1Char(' ') + query.lastError().databaseText();
}

int messages(TestStore &store) { return store.value(QStringLiteral("select count(*) from outbox.message")).toInt(); }

} // namespace

/// The corners of the schema's functions: odd payloads, refusals, sessions that meet, days that are not there yet.
class SchemaEdgesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void idsAreInTheOrderOfStaging()
    {
        TestStore store;
        QCOMPARE(
            store
                .value(QStringLiteral("with s as (select i, outbox.stage('provider_side_effect', 't', 1, '{}'::text) id"
                                      " from generate_series(1, 2000) i)"
                                      " select count(*) from (select id < lag(id) over (order by i) as back from s) x"
                                      " where back"))
                .toInt(),
            0);
        QCOMPARE(messages(store), 2000);
    }

    void oneStatementChangesDataAndStages() // S3
    {
        TestStore store;
        store.run(QStringLiteral("create table public.orders (id integer primary key);"
                                 "grant all on public.orders to test_writer"));
        auto writer = store.connect(Login::writer);
        const auto both = [](int from) {
            return QStringLiteral("with placed as (insert into public.orders select generate_series(%1, %1 + 2)"
                                  " returning id) select outbox.stage('provider_side_effect', 'orders.placed', 1,"
                                  " json_build_object('order', id)) from placed")
                .arg(from);
        };
        QVERIFY(QSqlQuery(writer).exec(both(1)));
        QCOMPARE(messages(store), 3);
        QCOMPARE(
            store.value(QStringLiteral("select string_agg(payload ->> 'order', ',' order by id) from outbox.message"))
                .toString(),
            QStringLiteral("1,2,3"));
        // A duplicate order: neither the orders nor the messages.
        QVERIFY(!QSqlQuery(writer).exec(both(3)));
        QCOMPARE(messages(store), 3);
        QCOMPARE(store.value(QStringLiteral("select count(*) from public.orders")).toInt(), 3);
    }

    void refusesWithItsOwnSqlState_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("state");
        const auto row = [](const char *name, const char *arguments, const char *state) {
            QTest::newRow(name) << QString::fromLatin1(arguments) << QString::fromLatin1(state);
        };
        row("bad kind", "'fax', 't', 1, '{}'::text", "OB001");
        row("no kind", "null, 't', 1, '{}'::text", "OB001");
        row("empty type", "'provider_side_effect', '', 1, '{}'::text", "OB002");
        row("blank type", "'provider_side_effect', '  ', 1, '{}'::text", "OB002");
        row("no type", "'provider_side_effect', null, 1, '{}'::text", "OB002");
        row("version 0", "'provider_side_effect', 't', 0, '{}'::text", "OB003");
        row("no version", "'provider_side_effect', 't', null, '{}'::text", "OB003");
        row("no JSON", "'provider_side_effect', 't', 1, '{'::text", "OB004");
        row("two values", "'provider_side_effect', 't', 1, '{} {}'::text", "OB004");
        row("empty payload", "'provider_side_effect', 't', 1, ''::text", "OB004");
        row("no payload", "'provider_side_effect', 't', 1, null::text", "OB004");
        row("no payload as json", "'provider_side_effect', 't', 1, null::json", "OB004");
        row("nested too deep", "'provider_side_effect', 't', 1, repeat('[', 100000)", "OB004");
        row("event without record", "'integration_event', 't', 1, '{}'::text", "OB005");
        row("event with blank record", "'integration_event', 't', 1, '{}'::text, event_record => ' '", "OB005");
        row("command with record", "'journey_step_command', 't', 1, '{}'::text, event_record => 'r'", "OB005");
        row("headers no object", "'provider_side_effect', 't', 1, '{}'::text, headers => '[]'", "OB007");
        row("header no text", "'provider_side_effect', 't', 1, '{}'::text, headers => '{\"a\": 1}'", "OB007");
        row("header without name", "'provider_side_effect', 't', 1, '{}'::text, headers => '{\"\": \"a\"}'", "OB007");
        row("endless wait", "'provider_side_effect', 't', 1, '{}'::text, not_before => 'infinity'", "OB008");
        row("never happened", "'provider_side_effect', 't', 1, '{}'::text, occurred_at => '-infinity'", "OB008");
    }

    void refusesWithItsOwnSqlState() // S4 S5
    {
        QFETCH(QString, arguments);
        QFETCH(QString, state);
        TestStore &store = shared();
        auto writer = store.connect(Login::writer);
        const QString error = errorOf(writer, QStringLiteral("select outbox.stage(%1)").arg(arguments));
        QVERIFY2(error.startsWith(state), qPrintable(error));
        QVERIFY2(error.contains(QStringLiteral("HINT")), qPrintable(error));
        QCOMPARE(messages(store), 0);
        // The caller's transaction decides: it can go on behind a savepoint.
        QVERIFY(writer.transaction());
        QVERIFY(QSqlQuery(writer).exec(QStringLiteral("savepoint s")));
        QVERIFY(!QSqlQuery(writer).exec(QStringLiteral("select outbox.stage(%1)").arg(arguments)));
        QVERIFY(QSqlQuery(writer).exec(QStringLiteral("rollback to savepoint s")));
        QVERIFY(QSqlQuery(writer).exec(QStringLiteral("select 1")));
        QVERIFY(writer.rollback());
    }

    void keepsThePayloadByteForByte_data()
    {
        QTest::addColumn<QString>("payload");
        QTest::newRow("key order and duplicates") << QStringLiteral("{\"b\":1, \"a\":2,  \"b\":3}");
        QTest::newRow("NUL as an escape") << QStringLiteral("{\"a\":\"\\u0000\"}");
        QTest::newRow("numbers as written") << QStringLiteral("[1.0, 1e400, 12345678901234567890123, -0]");
        QTest::newRow("white space") << QStringLiteral(" \n\t{\r\n}  ");
        QTest::newRow("beyond ASCII") << QStringLiteral("\"\\u00e9 é \\ud83d\\ude00 😀 \\\\ '\"");
        QTest::newRow("a bare text") << QStringLiteral("\"x\"");
        QTest::newRow("half a surrogate") << QStringLiteral("\"\\ud800\"");
        QTest::newRow("null") << QStringLiteral("null");
        QTest::newRow("large") << QStringLiteral("\"%1\"").arg(QString(300'000, QLatin1Char('x')));
    }

    void keepsThePayloadByteForByte() // S4 S23
    {
        QFETCH(QString, payload);
        TestStore store;
        const QString id = store.stage(QStringLiteral("t"), payload);
        QCOMPARE(
            store.value(QStringLiteral("select payload::text from outbox.message where id = ?::uuid"), {id}).toString(),
            payload);
        QCOMPARE(store
                     .value(QStringLiteral("select payload::text from outbox.message where id ="
                                           " outbox.stage('provider_side_effect', 't', 1, ?::json)"),
                            {payload})
                     .isValid(),
                 false); // a statement does not see what it stages
        QCOMPARE(store.value(QStringLiteral("select count(distinct payload::text) from outbox.message")).toInt(), 1);
    }

    void whatHadNoRouteFollowsTheFirstOne()
    {
        TestStore store;
        Scene scene(store);
        const QString id = store.stage(QStringLiteral("late.type"));
        QVERIFY(store.value(QStringLiteral("select destination from outbox.lane")).isNull());
        scene.route(QStringLiteral("late.*"), QStringLiteral("broker"));
        QCOMPARE(store
                     .value(QStringLiteral("select destination from outbox.lane join outbox.pending using (lane)"
                                           " where id = ?::uuid"),
                            {id})
                     .toString(),
                 QStringLiteral("broker"));
    }

    void partitionsAreMadeAhead()
    {
        TestStore store;
        const auto today = QStringLiteral("to_char((now() at time zone 'UTC')::date + %1, 'YYYYMMDD')");
        for (const int ahead : {-1, 0, 1, 7})
            for (const auto &table : {QStringLiteral("message"), QStringLiteral("dispatched")})
                QVERIFY(store
                            .value(QStringLiteral("select to_regclass('outbox.%1_' || %2) is not null")
                                       .arg(table, today.arg(ahead)))
                            .toBool());
        QCOMPARE(store.value(QStringLiteral("select outbox.ensure_partitions(7)")).toInt(), 0);
        QCOMPARE(store.value(QStringLiteral("select outbox.ensure_partitions(9)")).toInt(), 4);
        QCOMPARE(TestStore::sqlState(store.database(), QStringLiteral("select outbox.ensure_partitions(0)")),
                 QStringLiteral("OB030"));
        // What went to the default partition meanwhile moves to its day.
        const QString id = store
                               .value(QStringLiteral("select outbox.stage('provider_side_effect', 't', 1, '{}'::text,"
                                                     " id => outbox.uuid_at(now() + interval '15 days'))"))
                               .toString();
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.message_default")).toInt(), 1);
        store.run(QStringLiteral("select outbox.ensure_partitions(20)"));
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.message_default")).toInt(), 0);
        QCOMPARE(Scene(store).stateOf(id), QStringLiteral("1 pending"));
    }

    void aClaimDoesNotWaitForAnother() // S7
    {
        TestStore store;
        Scene scene(store);
        for (int i = 0; i < 10; ++i)
            scene.stage();
        auto first = store.connect(Login::worker);
        auto second = store.connect(Login::worker);
        const QString claim = QStringLiteral("select count(*) from outbox.claim(1, '30 s', array(select lane from"
                                             " outbox.lane), '{6}', '{-infinity}')");
        QVERIFY(first.transaction());
        QSqlQuery one(first);
        QVERIFY(one.exec(claim) && one.next());
        QCOMPARE(one.value(0).toInt(), 6);
        QSqlQuery two(second);
        QVERIFY(two.exec(claim) && two.next()); // does not wait for the first
        QCOMPARE(two.value(0).toInt(), 4);
        QVERIFY(first.commit());
        QCOMPARE(store.value(QStringLiteral("select count(distinct id) from outbox.processing")).toInt(), 10);
    }

    void anOutcomeTwiceIsRefusedTheSecondTime() // S8
    {
        TestStore store;
        Scene scene(store);
        const QString id = scene.stage();
        const auto claim = scene.claim();
        QVERIFY(scene.complete(claim.fence, {id}).isEmpty());
        QCOMPARE(scene.complete(claim.fence, {id}), QStringList{id});
        QCOMPARE(scene.stateOf(id), QStringLiteral("1 dispatched"));
    }

    void oldTallyRowsKeepTheirSums()
    {
        TestStore store;
        Scene scene(store);
        store.run(QStringLiteral("insert into outbox.tally values (now() - interval '10 days', 1, 5, 4, 3, 2),"
                                 " (now() - interval '9 days', 2, 1, 1, 1, 1), (now(), 1, 7, 0, 0, 0)"));
        QCOMPARE(store.value(QStringLiteral("select outbox.roll_up_tally()")).toInt(), 2);
        QCOMPARE(store.value(QStringLiteral("select outbox.roll_up_tally()")).toInt(), 0);
        QCOMPARE(store
                     .value(QStringLiteral("select concat_ws(' ', count(*), sum(dispatched), sum(retried), sum(dead),"
                                           " sum(refused)) from outbox.tally"))
                     .toString(),
                 QStringLiteral("2 13 5 4 3"));
    }

    void timesAreUtcWhateverTheSession() // P18
    {
        TestStore store;
        Scene scene(store);
        auto session = store.connect(Login::superuser);
        QSqlQuery query(session);
        QVERIFY(query.exec(QStringLiteral("set timezone = 'Pacific/Kiritimati'")));
        QVERIFY(query.exec(QStringLiteral("set datestyle = 'SQL, DMY'")));
        QVERIFY(query.exec(QStringLiteral("select outbox.stage('provider_side_effect', 't', 1, '{}'::text)")));
        QCOMPARE(scene.claim().ids.size(), 1);
        QVERIFY(store
                    .value(QStringLiteral(
                        "select abs(date_part('epoch', now() - staged_at)) < 60 and"
                        " abs(date_part('epoch', now() - outbox.uuid_time(id))) < 60 from outbox.message"))
                    .toBool());
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.message_default")).toInt(), 0);
    }

private:
    /// One store for rows that leave nothing behind.
    TestStore &shared()
    {
        if (!shared_)
            shared_ = std::make_unique<TestStore>();
        return *shared_;
    }
    std::unique_ptr<TestStore> shared_;
};

QTEST_GUILESS_MAIN(SchemaEdgesTest)

#include "schema_edges_test.moc"
