// SPDX-License-Identifier: Apache-2.0
#include "operations/doctor.h"

#include "scene.h"

#include <QTest>

using namespace outbox;
using namespace outbox::test;
using namespace outbox::operations;

namespace {

using Level = api::DoctorCheck::Level;

Timestamp machineNow()
{
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

/// "level: text" of all checks of that name that are not ok; "ok" when all are; empty when there is none.
QString found(TestStore &store, const QString &name, Login login = Login::superuser, Timestamp now = machineNow())
{
    const auto connection = store::Connection::open(store.address(login), {});
    if (!connection)
        return store::describe(connection.error());
    const auto report = doctor(**connection, {QStringLiteral("1.2.3"), now});
    if (!report)
        return store::describe(report.error());
    QStringList texts;
    bool any = false;
    for (const auto &check : report->checks) {
        if (check.name != name)
            continue;
        any = true;
        if (check.level != Level::ok)
            texts << (check.level == Level::problem ? QStringLiteral("problem: ") : QStringLiteral("warning: ")) +
                         check.text;
        if (check.level != Level::ok && check.hint.isEmpty())
            texts << QStringLiteral("no hint");
    }
    return texts.isEmpty() ? (any ? QStringLiteral("ok") : QString()) : texts.join(QStringLiteral("; "));
}

} // namespace

/// Each fault that doctor promises to find is made, and found.
class DoctorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHealthyStoreIsHealthy()
    {
        TestStore store;
        Scene scene(store);
        scene.route(QStringLiteral("*"), QStringLiteral("broker"));
        for (int i = 0; i < 8; ++i)
            scene.stage();
        const auto claim = scene.claim(6);
        scene.complete(claim.fence, claim.ids.mid(0, 2));
        scene.retry(claim.fence, claim.ids.mid(2, 1), 60, QStringLiteral("busy"), QStringLiteral("429"));
        scene.deadLetter(claim.fence, claim.ids.mid(3, 1), QStringLiteral("rejected"), QStringLiteral("422"));
        for (const auto &name : {QStringLiteral("roles"), QStringLiteral("versions"), QStringLiteral("clock"),
                                 QStringLiteral("autovacuum"), QStringLiteral("states"), QStringLiteral("leases"),
                                 QStringLiteral("routes"), QStringLiteral("workers"), QStringLiteral("partitions"),
                                 QStringLiteral("snapshot")})
            QCOMPARE(found(store, name), QStringLiteral("ok"));
    }

    void findsRecordsThatAreNotInExactlyOneState() // S21
    {
        TestStore store;
        const QString lost = store.stage(QStringLiteral("t"));
        const QString twice = store.stage(QStringLiteral("t"));
        store.run(QStringLiteral("delete from outbox.pending where id = ?::uuid"), {lost});
        store.run(QStringLiteral("insert into outbox.dead_letter select id, lane, 1, 1, now(), 'timeout', 'x'"
                                 " from outbox.pending where id = ?::uuid"),
                  {twice});
        store.run(QStringLiteral("insert into outbox.pending select gen_random_uuid(), lane, 0, now(), now()"
                                 " from outbox.pending where id = ?::uuid"),
                  {twice});
        const QString states = found(store, QStringLiteral("states"));
        QVERIFY2(states.contains(QStringLiteral("1 record in no state: ") + lost), qPrintable(states));
        QVERIFY2(states.contains(QStringLiteral("1 record in several states at once: ") + twice), qPrintable(states));
        QVERIFY2(states.contains(QStringLiteral("1 record in a state without a message")), qPrintable(states));
        QVERIFY(states.startsWith(QStringLiteral("problem")));
    }

    void findsLeasesAndRecordsThatDoNotBelongTogether() // S9
    {
        TestStore store;
        Scene scene(store);
        scene.stage();
        const auto claim = scene.claim();
        store.run(QStringLiteral("update outbox.lease set expires_at = now() - interval '2 minutes'"));
        QVERIFY(found(store, QStringLiteral("leases")).contains(QStringLiteral("1 lease ran out over a minute ago")));
        store.run(QStringLiteral("insert into outbox.lease values (4711, 1, now(), now() + interval '1 minute')"));
        QVERIFY(found(store, QStringLiteral("leases")).contains(QStringLiteral("1 lease without records")));
        store.run(QStringLiteral("delete from outbox.lease where fence = ?"), {claim.fence});
        QVERIFY(found(store, QStringLiteral("leases"))
                    .contains(QStringLiteral("problem: 1 record under way without a lease: ") + claim.ids[0]));
    }

    void findsWhatNobodyDelivers()
    {
        TestStore store;
        store.stage(QStringLiteral("lost.type"));
        QCOMPARE(found(store, QStringLiteral("routes")),
                 QStringLiteral("warning: records wait that no route leads anywhere: lost.type"));
        store.run(QStringLiteral("select outbox.set_route('*', 'broker')"));
        QCOMPARE(found(store, QStringLiteral("routes")), QStringLiteral("ok"));
        store.run(QStringLiteral("update outbox.pending set next_attempt_at = now() - interval '3 minutes'"));
        QVERIFY(found(store, QStringLiteral("workers")).contains(QStringLiteral("nobody takes them")));
        Scene scene(store);
        store.run(QStringLiteral("update outbox.worker set heartbeat_at = now() - interval '1 hour'"));
        QVERIFY(found(store, QStringLiteral("workers"))
                    .contains(QStringLiteral("1 worker not heard of for over two minutes: scene on here")));
    }

    void findsMissingPartitionsAndStrayRows()
    {
        TestStore store;
        store.run(QStringLiteral("do $$ begin execute format('drop table outbox.message_%s',"
                                 " to_char((now() at time zone 'UTC')::date + 1, 'YYYYMMDD')); end $$"));
        QVERIFY(found(store, QStringLiteral("partitions")).startsWith(QStringLiteral("problem: missing: message of ")));
        store.run(QStringLiteral("select outbox.ensure_partitions(7)"));
        QCOMPARE(found(store, QStringLiteral("partitions")), QStringLiteral("ok"));
        store.run(QStringLiteral("select outbox.stage('provider_side_effect', 't', 1, '{}'::text,"
                                 " id => outbox.uuid_at(now() - interval '300 days'))"));
        QCOMPARE(found(store, QStringLiteral("partitions")),
                 QStringLiteral("warning: 1 row in the default partitions"));
    }

    void findsWhatHoldsASnapshot()
    {
        TestStore store;
        auto other = store.connect(Login::viewer);
        QSqlQuery(other).exec(QStringLiteral("begin isolation level repeatable read"));
        QSqlQuery(other).exec(QStringLiteral("select count(*) from outbox.pending"));
        // A snapshot becomes a finding by its age; here the statement itself shows that it is seen.
        QCOMPARE(found(store, QStringLiteral("snapshot")), QStringLiteral("ok"));
        const auto connection = store::Connection::open(store.address(), {});
        QVERIFY(connection.ok());
        const auto ran = (*connection)->run("doctor_snapshots", {}, store::Effect::reads);
        QVERIFY(ran.ok());
        bool seen = false;
        while ((*ran)->next())
            seen = seen || (*ran)->value(1).toString().contains(QStringLiteral("test_viewer"));
        QVERIFY(seen);
    }

    void findsSwitchedOffProtection() // S23
    {
        TestStore store;
        store.run(QStringLiteral("alter table outbox.pending set (autovacuum_enabled = off)"));
        QCOMPARE(found(store, QStringLiteral("autovacuum")),
                 QStringLiteral("problem: autovacuum is switched off for pending"));
        store.run(QStringLiteral("alter table outbox.replay disable trigger immutable"));
        QVERIFY(found(store, QStringLiteral("immutable")).contains(QStringLiteral("replay")));
    }

    void comparesClocks() // P18
    {
        TestStore store;
        QVERIFY(found(store, QStringLiteral("clock"), Login::superuser, machineNow() + seconds(630))
                    .contains(QStringLiteral("10 min apart")));
        // Staged before somebody set the server's clock back.
        store.run(QStringLiteral("with m as (select outbox.uuid_at(now() + interval '2 hours') as id)"
                                 " insert into outbox.message select id, 'provider_side_effect', null, 't', 1, now(),"
                                 " now() + interval '2 hours', null, '{}', null from m"));
        QVERIFY(found(store, QStringLiteral("clock")).startsWith(QStringLiteral("problem: the newest message")));
    }

    void saysWhatItMayNotSee()
    {
        TestStore store;
        QCOMPARE(found(store, QStringLiteral("states"), Login::writer),
                 QStringLiteral("warning: not looked at: this role may not"));
        QCOMPARE(found(store, QStringLiteral("states"), Login::viewer), QStringLiteral("ok"));
        QVERIFY(found(store, QStringLiteral("snapshot"), Login::viewer)
                    .contains(QStringLiteral("sessions of other logins are hidden")));
        QVERIFY(found(store, QStringLiteral("states"), Login::stranger).contains(QStringLiteral("lacks a right")));
    }
};

QTEST_GUILESS_MAIN(DoctorTest)

#include "doctor_test.moc"
