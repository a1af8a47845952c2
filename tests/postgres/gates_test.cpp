// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include <QSqlQuery>
#include <QTest>

using namespace outbox::test;

/// Pause, breaker, limits and the retry horizon, by the functions that workers in any language call.
class GatesTest : public QObject {
    Q_OBJECT

    std::unique_ptr<TestStore> store_;
    std::unique_ptr<Scene> scene_;

    static QString busy() { return QStringLiteral("busy"); }
    static QString why() { return QStringLiteral("503"); }
    int number(const QString &sql) { return store_->value(sql).toInt(); }
    QString text(const QString &sql) { return store_->value(sql).toString(); }
    void stageMany(int records, const QString &type = QStringLiteral("orders.placed"))
    {
        for (int i = 0; i < records; ++i)
            store_->stage(type);
    }
    QString refusal(const QString &sql) { return TestStore::sqlState(store_->connect(Login::operator_), sql); }
    /// Fails that many records of the shop in one go.
    void fail(int records)
    {
        const auto claimed = scene_->claim(records);
        QCOMPARE(claimed.ids.size(), records);
        QCOMPARE(scene_->retry(claimed.fence, claimed.ids, 0, busy(), why()), QStringList());
    }
    void openBreaker()
    {
        store_->run(QStringLiteral("insert into outbox.breaker_rule values ('shop', 3, '1 hour', '4 hours')"));
        stageMany(4);
        fail(3);
    }
    void endOpenTime()
    {
        store_->run(
            QStringLiteral("update outbox.open_breaker set open_until = clock_timestamp() - interval '1 second'"));
    }

private Q_SLOTS:
    void init()
    {
        store_ = std::make_unique<TestStore>();
        scene_ = std::make_unique<Scene>(*store_);
        scene_->route(QStringLiteral("orders.*"), QStringLiteral("shop"));
        scene_->route(QStringLiteral("*"), QStringLiteral("other"));
    }
    void cleanup()
    {
        scene_.reset();
        store_.reset();
    }

    void whatIsPausedWaitsAndTheOthersGoOn() // S12 S16
    {
        stageMany(2);
        const QString other = store_->stage(QStringLiteral("mail.sent"));
        QVERIFY(store_->value(QStringLiteral("select outbox.pause('shop', 'they asked us to')")).toBool());
        QVERIFY(!store_->value(QStringLiteral("select outbox.pause('shop', 'again')")).toBool());
        QCOMPARE(scene_->claim().ids, QStringList{other});
        QCOMPARE(number(QStringLiteral("select max(attempt) from outbox.pending")), 0);
        QVERIFY(store_->value(QStringLiteral("select outbox.resume('shop', 'repaired')")).toBool());
        QVERIFY(!store_->value(QStringLiteral("select outbox.resume('shop', 'repaired')")).toBool());
        QCOMPARE(scene_->claim().ids.size(), 2);
    }

    void everyChangeOfAGateIsAudited() // S22
    {
        auto operator_ = store_->connect(Login::operator_);
        QCOMPARE(TestStore::sqlState(operator_, QStringLiteral("select outbox.pause('shop', 'maintenance')")),
                 QString());
        QCOMPARE(text(QStringLiteral("select event || ' by ' || actor || ': ' || note from outbox.gate_event")),
                 QStringLiteral("paused by test_operator: maintenance"));
        QCOMPARE(TestStore::sqlState(store_->database(), QStringLiteral("update outbox.gate_event set note = 'x'")),
                 QStringLiteral("OB020"));
    }

    void aGateWithoutReasonOrDestinationIsRefused()
    {
        stageMany(1);
        QCOMPARE(refusal(QStringLiteral("select outbox.pause('shop', ' ')")), QStringLiteral("OB041"));
        QCOMPARE(refusal(QStringLiteral("select outbox.pause('shpo', 'x')")), QStringLiteral("OB042"));
        QCOMPARE(refusal(QStringLiteral("select outbox.resume(null, 'x')")), QStringLiteral("OB042"));
        QCOMPARE(refusal(QStringLiteral("select outbox.set_limits('shop', 0, null, null, 'x')")),
                 QStringLiteral("OB043"));
        QCOMPARE(refusal(QStringLiteral("select outbox.set_limits('shop', null, -1, null, 'x')")),
                 QStringLiteral("OB043"));
        QCOMPARE(number(QStringLiteral("select count(*) from outbox.gate_event")), 0);
    }

    void noMoreThanTheLimitAreUnderWay() // S12
    {
        stageMany(5);
        stageMany(2, QStringLiteral("orders.paid")); // another lane of the same destination
        const QString other = store_->stage(QStringLiteral("mail.sent"));
        store_->run(QStringLiteral("select outbox.set_limits('shop', 3, null, null, 'small shop')"));
        const auto first = scene_->claim();
        QCOMPARE(first.ids.size(), 4); // three and the other destination's
        QVERIFY(first.ids.contains(other));
        QVERIFY(scene_->claim().ids.isEmpty());
        QStringList shop = first.ids;
        shop.removeAll(other);
        scene_->complete(first.fence, {shop.first()});
        QCOMPARE(scene_->claim().ids.size(), 1);
        store_->run(QStringLiteral("select outbox.set_limits('shop', null, null, null, 'grown')"));
        QCOMPARE(scene_->claim().ids.size(), 3);
    }

    void twoClaimsShareALimit() // S12
    {
        stageMany(6);
        store_->run(QStringLiteral("select outbox.set_limits('shop', 2, null, null, 'small shop')"));
        auto one = store_->connect(Login::superuser);
        QVERIFY(one.transaction());
        QSqlQuery claim(one);
        QVERIFY(claim.exec(QStringLiteral("select count(*) from outbox.claim(1, '1 minute', array(select lane from "
                                          "outbox.lane), array[10], array['-infinity'::timestamptz])")));
        QVERIFY(claim.next());
        QCOMPARE(claim.value(0).toInt(), 2);
        // The other waits at the gate until the first has committed, and counts what it took.
        auto two = store_->connect(Login::superuser);
        QCOMPARE(TestStore::sqlState(two, QStringLiteral("set lock_timeout = '50ms'")), QString());
        QCOMPARE(TestStore::sqlState(two, QStringLiteral("select * from outbox.claim(1, "
                                                         "'1 minute', array(select lane from outbox.lane), array[10], "
                                                         "array['-infinity'::timestamptz])")),
                 QStringLiteral("55P03"));
        QVERIFY(one.commit());
        QCOMPARE(scene_->claim().ids.size(), 0);
    }

    void theRateIsKept() // S12
    {
        stageMany(8);
        store_->run(QStringLiteral("select outbox.set_limits('shop', null, 0.001, 3, 'slow shop')"));
        QCOMPARE(scene_->claim().ids.size(), 3);
        QCOMPARE(scene_->claim().ids.size(), 0);
        store_->run(QStringLiteral("update outbox.rate_limit set counted_at = counted_at - interval '2010 seconds'"));
        QCOMPARE(scene_->claim().ids.size(), 2);
    }

    void theBreakerOpensAfterFailuresInARow() // S12 S13
    {
        openBreaker();
        QCOMPARE(scene_->claim().ids.size(), 0);
        QCOMPARE(
            number(QStringLiteral("select count(*) from outbox.open_breaker where open_until > clock_timestamp() + "
                                  "interval '50 minutes'")),
            1);
        const QString other = store_->stage(QStringLiteral("mail.sent"));
        QCOMPARE(scene_->claim().ids, QStringList{other});
    }

    void aRejectionIsAnAnswer() // S13
    {
        openBreaker();
        store_->run(QStringLiteral("delete from outbox.open_breaker"));
        const auto claimed = scene_->claim(1);
        scene_->deadLetter(claimed.fence, claimed.ids, QStringLiteral("rejected"), QStringLiteral("422"));
        QCOMPARE(number(QStringLiteral("select count(*) from outbox.failure_streak")), 0);
    }

    void oneRealRecordProbes() // S12
    {
        openBreaker();
        endOpenTime();
        const auto probe = scene_->claim();
        QCOMPARE(probe.ids.size(), 1);
        QCOMPARE(scene_->claim().ids.size(), 0); // one at a time
        scene_->complete(probe.fence, probe.ids);
        QCOMPARE(scene_->claim().ids.size(), 3);
        QCOMPARE(text(QStringLiteral("select string_agg(event, ' ' order by at) from outbox.gate_event")),
                 QStringLiteral("opened closed"));
    }

    void aFailedProbeOpensForLonger() // S12
    {
        openBreaker();
        endOpenTime();
        const auto probe = scene_->claim();
        scene_->retry(probe.fence, probe.ids, 0, busy(), why());
        QCOMPARE(scene_->claim().ids.size(), 0);
        QCOMPARE(number(QStringLiteral("select round(extract(epoch from open_until - clock_timestamp()) / 3600) from "
                                       "outbox.open_breaker")),
                 2);
    }

    void aLostProbeIsFollowedByAnother() // S9
    {
        openBreaker();
        endOpenTime();
        const auto probe = scene_->claim();
        QCOMPARE(scene_->claim().ids.size(), 0);
        scene_->release(probe.fence, probe.ids);
        QCOMPARE(scene_->claim().ids.size(), 1);
    }

    void waitingIsNoReasonToWakeUp() // S6
    {
        stageMany(1);
        const auto nextDue = [this] {
            return store_->value(
                QStringLiteral("select extract(epoch from next_due_in) from outbox.doze(?, array(select lane from "
                               "outbox.lane))"),
                {scene_->worker()});
        };
        QVERIFY(nextDue().toDouble() <= 0);
        store_->run(QStringLiteral("select outbox.pause('shop', 'maintenance')"));
        QVERIFY(nextDue().isNull());
        store_->run(QStringLiteral("select outbox.resume('shop', 'done')"));
        openBreaker();
        QVERIFY(nextDue().toDouble() > 3000);
    }

    void theHorizonEndsRetrying() // S12 S13
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        auto claimed = scene_->claim();
        scene_->retry(claimed.fence, claimed.ids, 0, busy(), why(), 60);
        QCOMPARE(scene_->stateOf(id), QStringLiteral("1 pending"));
        claimed = scene_->claim();
        QCOMPARE(claimed.ids, QStringList{id});
        QCOMPARE(scene_->retry(claimed.fence, claimed.ids, 120, busy(), why(), 3600),
                 QStringList()); // the first one stays
        QCOMPARE(scene_->stateOf(id), QStringLiteral("1 dead_letter"));
        QCOMPARE(text(QStringLiteral("select cause || ': ' || reason from outbox.dead_letter")),
                 QStringLiteral("busy: the retry horizon has ended; last: 503"));
        QCOMPARE(text(QStringLiteral("select sum(retried) || ' ' || sum(dead) from outbox.tally")),
                 QStringLiteral("1 1"));
    }

    void waitingShiftsTheHorizon() // S12
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        auto claimed = scene_->claim();
        scene_->retry(claimed.fence, claimed.ids, 0, busy(), why(), 60);
        // It was due an hour ago and stood behind a gate since.
        store_->run(QStringLiteral("update outbox.pending set next_attempt_at = next_attempt_at - interval '1 hour', "
                                   "retry_until = retry_until - interval '1 hour'"));
        claimed = scene_->claim();
        scene_->retry(claimed.fence, claimed.ids, 10, busy(), why(), 60);
        QCOMPARE(scene_->stateOf(id), QStringLiteral("1 pending"));
    }
};

QTEST_GUILESS_MAIN(GatesTest)
#include "gates_test.moc"
