// SPDX-License-Identifier: Apache-2.0
#include "postgres/test_worker.h"

#include <QSet>
#include <QSqlDriver>
#include <QTest>

using namespace outbox;
using namespace outbox::test;

namespace {

constexpr int limit = 20000;

qint64 count(TestStore &store, const QString &table)
{
    return store.value(QStringLiteral("select count(*) from outbox.%1").arg(table)).toLongLong();
}

} // namespace

class WorkerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void deliversWhatWasCommittedAndNothingElse(); // S3 S6
    void wakesAtTheCommitOfAnIdleStore();
    void wakesAtTheCommitOfALongTransaction();
    void wakesWhenARetryIsDue();
    void routesWhatWasStagedWhileTheRouteWasMade();
    void wakesForATypeNeverSeenBefore();
    void notifiesNobodyWhileNobodySleeps();
    void retriesThenBuries();                // S12 S13
    void buriesAPermanentFailureAtOnce();    // S13
    void honoursTheTargetsOwnWish();         // S12
    void usesNoAttemptForWhatWasNotTried();  // S13
    void twoWorkersDeliverEachMessageOnce(); // S6 S7
    void stopsWithNothingLeased();           // S9
    void stopsEvenWhenNoAnswerComes();
    void holdsNoTransactionOpenWhileDelivering(); // S7
    void tellsWhenDrained();
};

// S3 S6 S11
void WorkerTest::deliversWhatWasCommittedAndNothingElse()
{
    TestStore store;
    TestWorker worker(store.address(Login::worker), accept);
    worker.runtime->start();
    const QString kept = store.stage(QStringLiteral("orders.placed"));
    auto writer = store.connect(Login::writer);
    QVERIFY(writer.transaction());
    QVERIFY(TestStore::sqlState(writer, QStringLiteral("select outbox.stage('journey_step_command', 'x', 1, '{}')"))
                .isEmpty());
    QVERIFY(writer.rollback());

    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("dispatched")), 1, limit);
    QTRY_VERIFY_WITH_TIMEOUT(!worker.asleep.isEmpty(), limit);
    QCOMPARE(worker.received(), QStringList{kept});
    QCOMPARE(count(store, QStringLiteral("pending")), 0);
    QCOMPARE(count(store, QStringLiteral("lease")), 0);
    QCOMPARE(store.value(QStringLiteral("select sum(dispatched) from outbox.tally")).toLongLong(), 1);
}

void WorkerTest::wakesAtTheCommitOfAnIdleStore()
{
    TestStore store;
    TestWorker worker(store.address(), accept);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(!worker.asleep.isEmpty(), limit);
    const QString id = store.stage(QStringLiteral("orders.placed"));
    // The poll interval is a minute: only a notification can bring it in time.
    QTRY_COMPARE_WITH_TIMEOUT(worker.received(), QStringList{id}, limit);
    worker.asleep.clear();
    QTRY_VERIFY_WITH_TIMEOUT(!worker.asleep.isEmpty(), limit);
    const QString second = store.stage(QStringLiteral("orders.placed"));
    QTRY_COMPARE_WITH_TIMEOUT(worker.received(), (QStringList{id, second}), limit);
}

void WorkerTest::wakesAtTheCommitOfALongTransaction()
{
    TestStore store;
    store.run(QStringLiteral("select outbox.set_route('*', 'sink')"));
    // Staged while nobody sleeps, so the commit notifies nobody.
    auto writer = store.connect(Login::writer);
    QVERIFY(writer.transaction());
    QVERIFY(TestStore::sqlState(writer, QStringLiteral("select outbox.stage('journey_step_command', 'x', 1, '{}')"))
                .isEmpty());
    TestWorker worker(store.address(), accept);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(store.value(QStringLiteral("select last_value from outbox.sleepers")).toLongLong() != 0,
                             limit);
    QVERIFY(writer.commit());
    QTRY_COMPARE_WITH_TIMEOUT(worker.received().size(), 1, limit);
}

void WorkerTest::wakesWhenARetryIsDue()
{
    TestStore store;
    auto settings = TestWorker::quickSettings();
    settings.backoff = {milliseconds{600}, milliseconds{600}};
    TestWorker worker(
        store.address(),
        [](const Message &, int attempt) {
            return attempt == 1 ? failure(FailureCause::target_error) : delivery::DeliveryOutcome(delivery::Accepted{});
        },
        settings);
    worker.runtime->start();
    store.stage(QStringLiteral("orders.placed"));
    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("dispatched")), 1, limit);
    QCOMPARE(worker.attempts(), (std::vector<int>{1, 2}));
}

void WorkerTest::routesWhatWasStagedWhileTheRouteWasMade()
{
    TestStore store;
    auto writer = store.connect(Login::writer);
    QVERIFY(writer.transaction());
    QVERIFY(TestStore::sqlState(writer, QStringLiteral("select outbox.stage('journey_step_command', 'x', 1, '{}')"))
                .isEmpty());
    TestWorker worker(store.address(), accept);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(store.value(QStringLiteral("select last_value from outbox.sleepers")).toLongLong() != 0,
                             limit);
    // The lane is made by a transaction that saw no route, and that no route could see; nobody polls for a minute.
    QVERIFY(writer.commit());
    QTRY_COMPARE_WITH_TIMEOUT(worker.received().size(), 1, limit);
}

void WorkerTest::wakesForATypeNeverSeenBefore()
{
    TestStore store;
    TestWorker worker(store.address(), accept);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(!worker.asleep.isEmpty(), limit);
    store.stage(QStringLiteral("brand.new"), QStringLiteral("{}"), 7);
    QTRY_COMPARE_WITH_TIMEOUT(worker.received().size(), 1, limit);
}

void WorkerTest::notifiesNobodyWhileNobodySleeps()
{
    TestStore store;
    auto listener = store.connect(Login::superuser);
    QSignalSpy heard(listener.driver(), qOverload<const QString &, QSqlDriver::NotificationSource, const QVariant &>(
                                            &QSqlDriver::notification));
    QVERIFY(listener.driver()->subscribeToNotification(QStringLiteral("outbox_wake")));
    for (int i = 0; i < 20; ++i)
        store.stage(QStringLiteral("orders.placed"));
    // A notification of our own comes after any that the commits before it sent.
    store.run(QStringLiteral("notify outbox_wake"));
    QTRY_VERIFY_WITH_TIMEOUT(!heard.isEmpty(), limit);
    QCOMPARE(heard.size(), 1);
}

// S12 S13
void WorkerTest::retriesThenBuries()
{
    TestStore store;
    TestWorker worker(store.address(), [](const Message &, int) { return failure(FailureCause::timeout); });
    worker.runtime->start();
    const QString id = store.stage(QStringLiteral("orders.placed"), QStringLiteral("{\"keep\": 1}"));
    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("dead_letter")), 1, limit);
    QCOMPARE(worker.attempts(), (std::vector<int>{1, 2, 3}));
    QCOMPARE(worker.received(), (QStringList{id, id, id}));
    const auto dead = store.rows(QStringLiteral("select attempt, cause, reason from outbox.dead_letter")).constFirst();
    QCOMPARE(dead, (QVariantList{3, QStringLiteral("timeout"), QStringLiteral("as the test wants")}));
    QCOMPARE(store.value(QStringLiteral("select string_agg(number::text, ',' order by number) from outbox.attempt"))
                 .toString(),
             QStringLiteral("1,2,3"));
    QCOMPARE(store.value(QStringLiteral("select payload::text from outbox.message")).toString(),
             QStringLiteral("{\"keep\": 1}"));
    QTRY_COMPARE_WITH_TIMEOUT(worker.runtime->status().dead, 1, limit);
    QCOMPARE(worker.runtime->status().retried, 2);
}

// S13
void WorkerTest::buriesAPermanentFailureAtOnce()
{
    TestStore store;
    TestWorker worker(store.address(), [](const Message &, int) { return failure(FailureCause::rejected); });
    worker.runtime->start();
    store.stage(QStringLiteral("orders.placed"));
    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("dead_letter")), 1, limit);
    QCOMPARE(worker.attempts(), std::vector<int>{1});
}

void WorkerTest::honoursTheTargetsOwnWish()
{
    TestStore store;
    TestWorker worker(store.address(), [](const Message &, int) {
        return delivery::Failed{{FailureCause::busy, QStringLiteral("later"), milliseconds{3600000}}};
    });
    worker.runtime->start();
    store.stage(QStringLiteral("orders.placed"));
    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("attempt")), 1, limit);
    QVERIFY(store.value(QStringLiteral("select next_attempt_at > now() + interval '55 minutes' from outbox.pending"))
                .toBool());
}

void WorkerTest::usesNoAttemptForWhatWasNotTried()
{
    TestStore store;
    std::atomic<int> calls{0};
    TestWorker worker(store.address(), [&calls](const Message &, int) {
        return ++calls <= 2 ? delivery::DeliveryOutcome(delivery::NotTried{QStringLiteral("not connected")})
                            : delivery::DeliveryOutcome(delivery::Accepted{});
    });
    worker.runtime->start();
    store.stage(QStringLiteral("orders.placed"));
    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("dispatched")), 1, limit);
    QCOMPARE(worker.attempts(), (std::vector<int>{1, 1, 1}));
    QCOMPARE(count(store, QStringLiteral("attempt")), 0);
    QCOMPARE(worker.runtime->status().released, 2);
}

// S6
void WorkerTest::twoWorkersDeliverEachMessageOnce()
{
    TestStore store;
    store.run(
        QStringLiteral("select outbox.stage('journey_step_command', 'step', 1, '{}') from generate_series(1, 3000)"));
    TestWorker one(store.address(), accept);
    TestWorker two(store.address(), accept);
    one.runtime->start();
    two.runtime->start();
    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("dispatched")), 3000, limit);
    const QStringList all = one.received() + two.received();
    QCOMPARE(all.size(), 3000);
    QCOMPARE(QSet<QString>(all.begin(), all.end()).size(), 3000);
}

void WorkerTest::stopsWithNothingLeased()
{
    TestStore store;
    store.run(
        QStringLiteral("select outbox.stage('journey_step_command', 'step', 1, '{}') from generate_series(1, 500)"));
    auto worker = TestWorker::holding(store.address());
    worker.runtime->start();
    QTRY_COMPARE_WITH_TIMEOUT(worker.held(), std::size_t{100}, limit);
    worker.runtime->stop();
    // What was sent before the stop reached the destination is answered, too.
    QTRY_VERIFY_WITH_TIMEOUT((worker.answerAll(delivery::Accepted{}), !worker.stopped.isEmpty()), limit);
    QCOMPARE(count(store, QStringLiteral("processing")), 0);
    QCOMPARE(count(store, QStringLiteral("lease")), 0);
    const auto dispatched = count(store, QStringLiteral("dispatched"));
    QCOMPARE(dispatched, static_cast<qint64>(worker.received().size()));
    QCOMPARE(count(store, QStringLiteral("pending")), 500 - dispatched);
    QCOMPARE(store.value(QStringLiteral("select max(attempt) from outbox.pending")).toInt(), 0);
    QVERIFY(store.value(QStringLiteral("select bool_and(stopped_at is not null) from outbox.worker")).toBool());
}

void WorkerTest::stopsEvenWhenNoAnswerComes()
{
    TestStore store;
    store.stage(QStringLiteral("orders.placed"));
    auto settings = TestWorker::quickSettings();
    settings.grace = milliseconds{200};
    settings.backoff = {milliseconds{60000}, milliseconds{60000}};
    auto worker = TestWorker::holding(store.address(), settings);
    worker.runtime->start();
    QTRY_COMPARE_WITH_TIMEOUT(worker.held(), std::size_t{1}, limit);
    worker.runtime->stop();
    QTRY_VERIFY_WITH_TIMEOUT(!worker.stopped.isEmpty(), limit);
    QCOMPARE(count(store, QStringLiteral("lease")), 0);
    QCOMPARE(store.value(QStringLiteral("select attempt from outbox.pending")).toInt(),
             0); // says nothing of the message
}

// S7
void WorkerTest::holdsNoTransactionOpenWhileDelivering()
{
    TestStore store;
    store.stage(QStringLiteral("orders.placed"));
    auto worker = TestWorker::holding(store.address());
    worker.runtime->start();
    QTRY_COMPARE_WITH_TIMEOUT(worker.held(), std::size_t{1}, limit);
    QCOMPARE(count(store, QStringLiteral("processing")), 1);
    QCOMPARE(store
                 .value(QStringLiteral("select count(*) from pg_stat_activity where datname = current_database() and "
                                       "application_name like 'outbox-%' and state like 'idle in transaction%'"))
                 .toInt(),
             0);
    worker.answerAll(delivery::Accepted{});
    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("dispatched")), 1, limit);
}

void WorkerTest::tellsWhenDrained()
{
    TestStore store;
    store.run(
        QStringLiteral("select outbox.stage('journey_step_command', 'step', 1, '{}') from generate_series(1, 700)"));
    TestWorker worker(store.address(), accept);
    QSignalSpy drained(worker.runtime.get(), &runtime::WorkerRuntime::drained);
    worker.runtime->start();
    worker.runtime->reportDrained();
    QTRY_COMPARE_WITH_TIMEOUT(drained.size(), 1, limit);
    QCOMPARE(count(store, QStringLiteral("dispatched")), 700);
}

QTEST_GUILESS_MAIN(WorkerTest)
#include "worker_test.moc"
