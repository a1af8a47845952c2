// SPDX-License-Identifier: Apache-2.0
#include "support/test_store.h"

#include <QSqlQuery>
#include <QTest>

using namespace outbox::test;

namespace {

struct Claimed {
    QString id;
    qint64 fence = 0;
    int attempt = 0;
};

} // namespace

/// A record's way through the states, by the functions that workers in any language call.
class LifecycleTest : public QObject {
    Q_OBJECT

    std::unique_ptr<TestStore> store_;
    int ann_ = 0;
    int ben_ = 0;

    int registerWorker(const QString &name)
    {
        return store_->value(QStringLiteral("select outbox.register_worker(?, 'here', 1, '1', '{target}')"), {name})
            .toInt();
    }
    QList<Claimed> claim(int worker, int most = 10, const QString &lease = QStringLiteral("1 minute"))
    {
        QList<Claimed> all;
        for (const auto &row : store_->rows(
                 QStringLiteral(
                     "select id, fence, attempt from outbox.claim(?, ?::interval, (select array_agg(lane) from "
                     "outbox.lane), (select array_agg(?::integer) from outbox.lane), (select "
                     "array_agg('-infinity'::timestamptz) from outbox.lane))"),
                 {worker, lease, most}))
            all << Claimed{row.at(0).toString(), row.at(1).toLongLong(), row.at(2).toInt()};
        return all;
    }
    /// The ids that the outcome refused.
    QStringList outcome(const QString &function, int worker, const Claimed &claimed, const QString &more = {})
    {
        QStringList refused;
        for (const auto &row : store_->rows(
                 QStringLiteral("select * from outbox.%1(?, array[?::bigint], array[?::uuid]%2)").arg(function, more),
                 {worker, claimed.fence, claimed.id}))
            refused << row.first().toString();
        return refused;
    }
    QStringList retry(int worker, const Claimed &claimed, const QString &delay = QStringLiteral("0"))
    {
        return outcome(
            QStringLiteral("retry"), worker, claimed,
            QStringLiteral(", array['busy'], array['503'], array['1 second'::interval], array['%1'::interval]")
                .arg(delay));
    }
    QStringList bury(int worker, const Claimed &claimed)
    {
        return outcome(QStringLiteral("dead_letter"), worker, claimed,
                       QStringLiteral(", array['rejected'], array['422 no such order'], array['1 second'::interval]"));
    }
    /// Where it is; more than one name would be a defect.
    QString stateOf(const QString &id)
    {
        return store_
            ->value(QStringLiteral("select string_agg(s, ',') from ("
                                   "select 'pending' s from outbox.pending where id = $1 union all "
                                   "select 'processing' from outbox.processing where id = $1 union all "
                                   "select 'dispatched' from outbox.dispatched where id = $1 union all "
                                   "select 'dead_letter' from outbox.dead_letter where id = $1) x")
                        .replace(QStringLiteral("$1"), QStringLiteral("'%1'").arg(id)))
            .toString();
    }
    int number(const QString &sql) { return store_->value(sql).toInt(); }
    void expire(qint64 fence)
    {
        store_->run(QStringLiteral("update outbox.lease set expires_at = clock_timestamp() - interval '1 second' "
                                   "where fence = ?"),
                    {fence});
    }
    QVariantList releaseExpired(int worker, int attempts)
    {
        return store_->rows(QStringLiteral("select * from outbox.release_expired(?, ?, '0', '0')"), {worker, attempts})
            .first();
    }

private Q_SLOTS:
    void init()
    {
        store_ = std::make_unique<TestStore>();
        store_->run(QStringLiteral("select outbox.set_route('*', 'target')"));
        ann_ = registerWorker(QStringLiteral("ann"));
        ben_ = registerWorker(QStringLiteral("ben"));
    }
    void cleanup() { store_.reset(); }

    void aClaimIsBoundedAndLeased() // S6 S7
    {
        for (int i = 0; i < 5; ++i)
            store_->stage(QStringLiteral("orders.placed"));
        const auto claimed = claim(ann_, 3);
        QCOMPARE(claimed.size(), 3);
        QCOMPARE(claimed.first().attempt, 1);
        QCOMPARE(stateOf(claimed.first().id), QStringLiteral("processing"));
        const auto lease =
            store_->rows(QStringLiteral("select worker, expires_at > clock_timestamp() + interval '50 seconds', "
                                        "fence from outbox.lease"));
        QCOMPARE(lease.size(), 1);
        QCOMPARE(lease.first().at(0).toInt(), ann_);
        QVERIFY(lease.first().at(1).toBool());
        QCOMPARE(lease.first().at(2).toLongLong(), claimed.first().fence);
    }

    void twoWorkersNeverHoldTheSame() // S6 S7
    {
        for (int i = 0; i < 4; ++i)
            store_->stage(QStringLiteral("orders.placed"));
        const auto first = claim(ann_, 2);
        const auto second = claim(ben_, 10);
        QCOMPARE(first.size(), 2);
        QCOMPARE(second.size(), 2);
        for (const auto &one : first)
            for (const auto &other : second)
                QVERIFY(one.id != other.id);
        QVERIFY(second.first().fence > first.first().fence);
    }

    void completionEndsIt() // S6 S11
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        const auto claimed = claim(ann_).value(0);
        QCOMPARE(outcome(QStringLiteral("complete"), ann_, claimed), QStringList());
        QCOMPARE(stateOf(id), QStringLiteral("dispatched"));
        QCOMPARE(number(QStringLiteral("select count(*) from outbox.lease")), 0);
        QCOMPARE(number(QStringLiteral("select sum(dispatched) from outbox.tally")), 1);
        QVERIFY(claim(ann_).isEmpty());
    }

    void aRetryComesBackWithItsAttemptUsed() // S4 S6 S13
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        QCOMPARE(retry(ann_, claim(ann_).value(0)), QStringList());
        QCOMPARE(stateOf(id), QStringLiteral("pending"));
        const auto again = claim(ben_).value(0);
        QCOMPARE(again.id, id);
        QCOMPARE(again.attempt, 2);
        QCOMPARE(store_->value(QStringLiteral("select cause || ' ' || summary from outbox.attempt")).toString(),
                 QStringLiteral("busy 503"));
    }

    void aRetryWaitsForItsTime()
    {
        store_->stage(QStringLiteral("orders.placed"));
        QCOMPARE(retry(ann_, claim(ann_).value(0), QStringLiteral("1 hour")), QStringList());
        QVERIFY(claim(ann_).isEmpty());
    }

    void aReleaseUsesNoAttempt()
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        QCOMPARE(outcome(QStringLiteral("release"), ann_, claim(ann_).value(0)), QStringList());
        QCOMPARE(stateOf(id), QStringLiteral("pending"));
        QCOMPARE(claim(ben_).value(0).attempt, 1);
        QCOMPARE(number(QStringLiteral("select count(*) from outbox.attempt")), 0);
    }

    void aDeadLetterKeepsWhy() // S13
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        QCOMPARE(bury(ann_, claim(ann_).value(0)), QStringList());
        QCOMPARE(stateOf(id), QStringLiteral("dead_letter"));
        const auto dead = store_->rows(QStringLiteral("select cause, reason, attempt from outbox.dead_letter")).first();
        QCOMPARE(dead.at(0).toString(), QStringLiteral("rejected"));
        QCOMPARE(dead.at(1).toString(), QStringLiteral("422 no such order"));
        QCOMPARE(dead.at(2).toInt(), 1);
        QVERIFY(claim(ann_).isEmpty());
    }

    void aLateOutcomeChangesNothingAndIsCounted_data() // S8
    {
        QTest::addColumn<QString>("function");
        for (const char *name : {"complete", "retry", "dead_letter", "release"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void aLateOutcomeChangesNothingAndIsCounted() // S8
    {
        QFETCH(QString, function);
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        const auto late = claim(ann_).value(0);
        expire(late.fence);
        releaseExpired(ben_, 10);
        const auto now = claim(ben_).value(0);
        QCOMPARE(now.id, id);
        const auto refused = function == QLatin1String("retry")         ? retry(ann_, late)
                             : function == QLatin1String("dead_letter") ? bury(ann_, late)
                                                                        : outcome(function, ann_, late);
        QCOMPARE(refused, QStringList{id});
        QCOMPARE(stateOf(id), QStringLiteral("processing"));
        QCOMPARE(number(QStringLiteral("select worker from outbox.lease")), ben_);
        if (function != QLatin1String("release"))
            QCOMPARE(number(QStringLiteral("select sum(refused) from outbox.tally")), 1);
        QCOMPARE(outcome(QStringLiteral("complete"), ben_, now), QStringList());
    }

    void anotherWorkersFenceIsNoUse() // S8
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        const auto claimed = claim(ann_).value(0);
        QCOMPARE(outcome(QStringLiteral("complete"), ben_, claimed), QStringList{id}); // right fence, wrong owner
        QCOMPARE(outcome(QStringLiteral("complete"), ann_, {id, claimed.fence + 1, 1}), QStringList{id});
        QCOMPARE(stateOf(id), QStringLiteral("processing"));
    }

    void anExpiredClaimReturns() // S9
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        const auto claimed = claim(ann_).value(0);
        QCOMPARE(releaseExpired(ben_, 10).at(0).toInt(), 0); // not before its time
        expire(claimed.fence);
        const auto released = releaseExpired(ben_, 10); // any worker may, whoever held it
        QCOMPARE(released.at(0).toInt(), 1);
        QCOMPARE(released.at(1).toInt(), 0);
        QCOMPARE(claim(ben_).value(0).attempt, 2);
        QCOMPARE(store_->value(QStringLiteral("select cause from outbox.attempt")).toString(),
                 QStringLiteral("lease-expired"));
        QCOMPARE(stateOf(id), QStringLiteral("processing"));
    }

    void aMessageThatKillsItsWorkersEndsSomewhere() // S9 S13
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        for (int attempt = 1; attempt <= 3; ++attempt) {
            const auto claimed = claim(ann_).value(0);
            QCOMPARE(claimed.attempt, attempt);
            expire(claimed.fence);
            releaseExpired(ben_, 3);
        }
        QCOMPARE(stateOf(id), QStringLiteral("dead_letter"));
        QCOMPARE(store_->value(QStringLiteral("select cause from outbox.dead_letter")).toString(),
                 QStringLiteral("lease-expired"));
    }

    void anExtendedLeaseStays() // S7 S9
    {
        store_->stage(QStringLiteral("orders.placed"));
        const auto claimed = claim(ann_).value(0);
        expire(claimed.fence);
        QVERIFY(store_
                    ->rows(QStringLiteral("select * from outbox.extend_lease(?, array[?::bigint], '1 minute')"),
                           {ann_, claimed.fence})
                    .isEmpty());
        QCOMPARE(releaseExpired(ben_, 10).at(0).toInt(), 0);
        QCOMPARE(store_
                     ->rows(QStringLiteral("select * from outbox.extend_lease(?, array[?::bigint], '1 minute')"),
                            {ben_, claimed.fence})
                     .size(),
                 1); // not ben's to extend
    }

    void retryTouchesClaimedRecordsOnly() // S16
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        QCOMPARE(retry(ann_, {id, 1, 1}), QStringList{id});
        QCOMPARE(bury(ann_, {id, 1, 1}), QStringList{id});
        QCOMPARE(stateOf(id), QStringLiteral("pending"));
        QCOMPARE(number(QStringLiteral("select attempt from outbox.pending")), 0);
        QCOMPARE(number(QStringLiteral("select count(*) from outbox.attempt")), 0);
    }

    void aReplayIsAuditedAndKeepsIdentity() // S22 S23
    {
        const QString payload = QStringLiteral("{ \"order\" : 7 }");
        const QString id = store_->stage(QStringLiteral("orders.placed"), payload);
        bury(ann_, claim(ann_).value(0));
        auto operator_ = store_->connect(Login::operator_);
        QCOMPARE(
            TestStore::sqlState(operator_, QStringLiteral("select * from outbox.replay(array[?::uuid], ' ')"), {id}),
            QStringLiteral("OB040"));
        QCOMPARE(stateOf(id), QStringLiteral("dead_letter"));
        QCOMPARE(TestStore::sqlState(
                     operator_, QStringLiteral("select * from outbox.replay(array[?::uuid], 'route fixed')"), {id}),
                 QString());
        const auto audit = store_
                               ->rows(QStringLiteral("select id, actor, reason, cause, failure, "
                                                     "at > clock_timestamp() - interval '1 minute' from outbox.replay"))
                               .first();
        QCOMPARE(audit.at(0).toString(), id);
        QCOMPARE(audit.at(1).toString(), QStringLiteral("test_operator"));
        QCOMPARE(audit.at(2).toString(), QStringLiteral("route fixed"));
        QCOMPARE(audit.at(3).toString(), QStringLiteral("rejected"));
        QCOMPARE(audit.at(4).toString(), QStringLiteral("422 no such order"));
        QVERIFY(audit.at(5).toBool());
        const auto again = claim(ben_).value(0);
        QCOMPARE(again.id, id);
        QCOMPARE(again.attempt, 1); // attempts start over
        QCOMPARE(store_->value(QStringLiteral("select payload::text from outbox.message")).toString(), payload);
        QCOMPARE(number(QStringLiteral("select count(*) from outbox.attempt")), 1); // what had failed stays
    }

    void onlyADeadLetterIsReplayed() // S21
    {
        const QString pending = store_->stage(QStringLiteral("orders.placed"));
        const auto verdicts = store_->rows(
            QStringLiteral(
                "select id, replayed, why from outbox.replay(array[?::uuid, gen_random_uuid()], 'try') order by why"),
            {pending});
        QCOMPARE(verdicts.size(), 2);
        QCOMPARE(verdicts.at(0).at(2).toString(), QStringLiteral("no such record"));
        QCOMPARE(verdicts.at(1).at(2).toString(), QStringLiteral("not a dead letter"));
        QCOMPARE(number(QStringLiteral("select count(*) from outbox.replay")), 0);
    }

    void identitySurvivesEveryTransition() // S21 S22
    {
        const QString id = store_->stage(QStringLiteral("orders.placed"));
        retry(ann_, claim(ann_).value(0));
        bury(ben_, claim(ben_).value(0));
        store_->run(QStringLiteral("select * from outbox.replay(array[?::uuid], 'again')"), {id});
        outcome(QStringLiteral("complete"), ann_, claim(ann_).value(0));
        QCOMPARE(stateOf(id), QStringLiteral("dispatched"));
        QCOMPARE(number(QStringLiteral("select count(*) from outbox.message")), 1);
    }

    void arraysThatDoNotMatchAreRefused()
    {
        QCOMPARE(
            TestStore::sqlState(store_->database(),
                                QStringLiteral("select * from outbox.complete(1, '{1,2}', array[gen_random_uuid()])")),
            QStringLiteral("OB011"));
        QCOMPARE(TestStore::sqlState(
                     store_->database(),
                     QStringLiteral("select * from outbox.claim(1, '0 seconds', '{1}', '{1}', '{-infinity}')")),
                 QStringLiteral("OB012"));
    }
};

QTEST_GUILESS_MAIN(LifecycleTest)

#include "lifecycle_test.moc"
