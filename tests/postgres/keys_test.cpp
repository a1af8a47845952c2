// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include <QSqlQuery>
#include <QTest>

using namespace outbox::test;

/// Strict order by ordering key, by the functions that writers and workers in any language call.
class KeysTest : public QObject {
    Q_OBJECT

    std::unique_ptr<TestStore> store_;
    std::unique_ptr<Scene> scene_;

    int number(const QString &sql) { return store_->value(sql).toInt(); }
    static QString staging(const QString &key, const QString &type = QStringLiteral("orders.placed"))
    {
        return QStringLiteral("select outbox.stage('provider_side_effect', '%1', 1, '{}', ordering_key => '%2')::text")
            .arg(type, key);
    }
    QString stage(const QString &key) { return store_->value(staging(key)).toString(); }
    QString claimOne()
    {
        const auto claimed = scene_->claim();
        return claimed.ids.size() == 1 ? claimed.ids.first() : claimed.ids.join(QLatin1Char(' '));
    }
    void bury(const Scene::Claimed &claimed)
    {
        scene_->deadLetter(claimed.fence, claimed.ids, QStringLiteral("rejected"), QStringLiteral("422"));
    }

private Q_SLOTS:
    void init()
    {
        store_ = std::make_unique<TestStore>();
        scene_ = std::make_unique<Scene>(*store_);
        scene_->route(QStringLiteral("*"), QStringLiteral("shop"));
    }
    void cleanup()
    {
        scene_.reset();
        store_.reset();
    }

    void onlyTheHeadIsClaimed() // S6 S16
    {
        const QString first = stage(QStringLiteral("a"));
        const QString second = stage(QStringLiteral("a"));
        const QString other = stage(QStringLiteral("b"));
        const QString free = store_->stage(QStringLiteral("orders.placed"));
        auto claimed = scene_->claim();
        QStringList expected{first, other, free};
        expected.sort();
        QCOMPARE(claimed.ids, expected);
        QCOMPARE(scene_->claim().ids, QStringList());
        scene_->complete(claimed.fence, {first});
        QCOMPARE(claimOne(), second);
        QCOMPARE(number(QStringLiteral("select count(*) from outbox.keyed")), 2);
    }

    void aFailingHeadHoldsOnlyItsOwnKey() // S12 S16
    {
        const QString first = stage(QStringLiteral("a"));
        const QString second = stage(QStringLiteral("a"));
        auto claimed = scene_->claim();
        scene_->retry(claimed.fence, claimed.ids, 3600, QStringLiteral("busy"), QStringLiteral("503"));
        const QString other = stage(QStringLiteral("b"));
        QCOMPARE(claimOne(), other);
        store_->run(QStringLiteral("update outbox.pending set next_attempt_at = now() where id = ?::uuid"), {first});
        claimed = scene_->claim();
        QCOMPARE(claimed.ids, QStringList{first});
        scene_->complete(claimed.fence, claimed.ids);
        QCOMPARE(claimOne(), second);
    }

    void aReleasedHeadStaysTheHead() // S16
    {
        const QString first = stage(QStringLiteral("a"));
        stage(QStringLiteral("a"));
        const auto claimed = scene_->claim();
        scene_->release(claimed.fence, claimed.ids);
        QCOMPARE(claimOne(), first);
    }

    void aDeadHeadHoldsItsKeyUntilItIsSkipped() // S13 S22
    {
        const QString first = stage(QStringLiteral("a"));
        const QString second = stage(QStringLiteral("a"));
        bury(scene_->claim());
        QCOMPARE(scene_->claim().ids, QStringList());
        auto operator_ = store_->connect(Login::operator_);
        QCOMPARE(TestStore::sqlState(operator_, QStringLiteral("select outbox.skip(?::uuid, '')"), {first}),
                 QStringLiteral("OB041"));
        QCOMPARE(TestStore::sqlState(operator_, QStringLiteral("select outbox.skip(?::uuid, 'why')"), {second}),
                 QStringLiteral("OB044"));
        QCOMPARE(TestStore::sqlState(operator_, QStringLiteral("select outbox.skip(?::uuid, 'paid twice')"), {first}),
                 QString());
        QCOMPARE(store_->value(QStringLiteral("select actor || ': ' || reason from outbox.skip")).toString(),
                 QStringLiteral("test_operator: paid twice"));
        QCOMPARE(claimOne(), second);
        QCOMPARE(scene_->stateOf(first), QStringLiteral("1 dead_letter"));
    }

    void aDeadHeadLetsGoWhereItsLaneSaysSo() // S13
    {
        stage(QStringLiteral("a"));
        const QString second = stage(QStringLiteral("a"));
        store_->run(QStringLiteral("update outbox.lane set frees_key = true where ordered"));
        bury(scene_->claim());
        QCOMPARE(claimOne(), second);
    }

    void aReplayedHeadTakesItsOldPlace() // S23
    {
        const QString first = stage(QStringLiteral("a"));
        const QString second = stage(QStringLiteral("a"));
        bury(scene_->claim());
        store_->run(QStringLiteral("select outbox.skip(?::uuid, 'later')"), {first});
        store_->run(QStringLiteral("select * from outbox.replay(array[?::uuid], 'repaired')"), {first});
        auto claimed = scene_->claim();
        QCOMPARE(claimed.ids, QStringList{first}); // the second waits again
        scene_->complete(claimed.fence, claimed.ids);
        QCOMPARE(claimOne(), second);
    }

    void anExpiredHeadStaysTheHead() // S9
    {
        const QString first = stage(QStringLiteral("a"));
        const QString second = stage(QStringLiteral("a"));
        scene_->claim();
        store_->run(QStringLiteral("update outbox.lease set expires_at = now() - interval '1 second'"));
        store_->run(QStringLiteral("select * from outbox.release_expired(?, 5, '0', '0')"), {scene_->worker()});
        const auto claimed = scene_->claim();
        QCOMPARE(claimed.ids, QStringList{first});
        scene_->complete(claimed.fence, claimed.ids);
        QCOMPARE(claimOne(), second);
    }

    void theOrderIsThatOfTheCommits() // S3
    {
        auto slow = store_->connect(Login::writer);
        auto fast = store_->connect(Login::writer);
        QCOMPARE(TestStore::sqlState(fast, QStringLiteral("set lock_timeout = '50ms'")), QString());
        QVERIFY(slow.transaction());
        QSqlQuery first(slow);
        QVERIFY(first.exec(staging(QStringLiteral("a"))) && first.next());
        // Whoever stages for the same key waits for the first to end; another key does not.
        QCOMPARE(TestStore::sqlState(fast, staging(QStringLiteral("a"))), QStringLiteral("55P03"));
        QCOMPARE(TestStore::sqlState(fast, staging(QStringLiteral("b"))), QString());
        QVERIFY(slow.commit());
        const QString second = stage(QStringLiteral("a"));
        const auto claimed = scene_->claim();
        QVERIFY(claimed.ids.contains(first.value(0).toString()));
        QVERIFY(!claimed.ids.contains(second));
    }

    void whatIsRolledBackLeavesNoGap() // S3
    {
        auto writer = store_->connect(Login::writer);
        QVERIFY(writer.transaction());
        QCOMPARE(TestStore::sqlState(writer, staging(QStringLiteral("a"))), QString());
        QVERIFY(writer.rollback());
        const QString only = stage(QStringLiteral("a"));
        QCOMPARE(claimOne(), only);
    }

    void stagingWaitsForNoWorkerAndNoWorkerForIt() // S3 S6
    {
        const QString first = stage(QStringLiteral("a"));
        const auto claimed = scene_->claim();
        auto writer = store_->connect(Login::writer);
        QVERIFY(writer.transaction());
        QCOMPARE(TestStore::sqlState(writer, staging(QStringLiteral("a"))), QString());
        store_->run(QStringLiteral("set lock_timeout = '5s'"));
        scene_->complete(claimed.fence, claimed.ids); // while the next one is not committed
        QVERIFY(writer.commit());
        QCOMPARE(scene_->stateOf(first), QStringLiteral("1 dispatched"));
        QCOMPARE(scene_->claim().ids.size(), 1);
    }

    void parkingAndEndingNeverMissEachOther() // S6
    {
        const QString first = stage(QStringLiteral("a"));
        const auto head = scene_->claim();
        const QString second = stage(QStringLiteral("a"));
        // One session is about to park the second behind the first, which ends meanwhile.
        auto claimer = store_->connect(Login::superuser);
        QVERIFY(claimer.transaction());
        QCOMPARE(
            TestStore::sqlState(claimer, QStringLiteral("select * from outbox.claim(1, '1 minute', array(select lane "
                                                        "from outbox.lane), array(select 10 from outbox.lane), "
                                                        "array(select '-infinity'::timestamptz from outbox.lane))")),
            QString());
        auto ender = store_->connect(Login::superuser);
        QCOMPARE(TestStore::sqlState(ender, QStringLiteral("set lock_timeout = '50ms'")), QString());
        const QString end = QStringLiteral("select outbox.complete(%1, array[%2], array['%3'::uuid])")
                                .arg(scene_->worker())
                                .arg(head.fence)
                                .arg(first);
        QCOMPARE(TestStore::sqlState(ender, end), QStringLiteral("55P03")); // it waits for the parking
        QVERIFY(claimer.commit());
        scene_->complete(head.fence, head.ids);
        QCOMPARE(claimOne(), second);
    }

    void manyBehindOneHeadAreOutOfTheWay() // S16
    {
        stage(QStringLiteral("a"));
        store_->run(QStringLiteral("select outbox.stage('provider_side_effect', 'orders.placed', 1, '{}', "
                                   "ordering_key => 'a') from generate_series(1, 3000)"));
        const QString other = stage(QStringLiteral("b"));
        QCOMPARE(scene_->claim(1).ids.size(), 1);
        QStringList found;
        for (int round = 0; round < 10 && found.isEmpty(); ++round)
            found = scene_->claim(500).ids;
        QCOMPARE(found, QStringList{other});
        QVERIFY(number(QStringLiteral("select count(*) from outbox.pending where next_attempt_at = 'infinity'")) >=
                3000);
    }

    void aBadKeyIsRefused()
    {
        auto writer = store_->connect(Login::writer);
        QCOMPARE(TestStore::sqlState(writer, staging(QStringLiteral(" "))), QStringLiteral("OB014"));
        QCOMPARE(TestStore::sqlState(writer, staging(QString(501, QLatin1Char('x')))), QStringLiteral("OB014"));
    }
};

QTEST_GUILESS_MAIN(KeysTest)
#include "keys_test.moc"
