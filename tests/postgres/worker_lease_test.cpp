// SPDX-License-Identifier: Apache-2.0
#include "postgres/test_worker.h"

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

class WorkerLeaseTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesALateOutcome();             // S8
    void returnsWhatACrashedWorkerHeld();   // S9
    void buriesWhatKillsEveryWorker();      // S13
    void extendsTheLeaseOfWhatIsInFlight(); // S7
};

// S8
void WorkerLeaseTest::refusesALateOutcome()
{
    TestStore store;
    store.stage(QStringLiteral("orders.placed"));
    auto worker = TestWorker::holding(store.address());
    worker.runtime->start();
    QTRY_COMPARE_WITH_TIMEOUT(worker.held(), std::size_t{1}, limit);
    // Its lease runs out, and somebody returns the record to eligible work.
    store.run(QStringLiteral("update outbox.lease set expires_at = now() - interval '1 minute'"));
    store.run(QStringLiteral("select * from outbox.release_expired(0, 10, interval '1 hour', interval '1 hour')"));
    QCOMPARE(count(store, QStringLiteral("pending")), 1);
    worker.answerAll(delivery::Accepted{});
    QTRY_COMPARE_WITH_TIMEOUT(worker.runtime->status().refused, 1, limit);
    QCOMPARE(worker.runtime->status().accepted, 0); // nobody claims that it was written
    QCOMPARE(count(store, QStringLiteral("dispatched")), 0);
    QCOMPARE(count(store, QStringLiteral("pending")), 1);
    QCOMPARE(store.value(QStringLiteral("select sum(refused) from outbox.tally")).toInt(), 1);
}

// S9
void WorkerLeaseTest::returnsWhatACrashedWorkerHeld()
{
    TestStore store;
    const QString id = store.stage(QStringLiteral("orders.placed"));
    {
        auto crashed = TestWorker::holding(store.address());
        crashed.runtime->start();
        QTRY_COMPARE_WITH_TIMEOUT(crashed.held(), std::size_t{1}, limit);
    }
    QCOMPARE(count(store, QStringLiteral("processing")), 1);
    store.run(QStringLiteral("update outbox.lease set expires_at = now() - interval '1 second'"));
    TestWorker next(store.address(), accept);
    next.runtime->start();
    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("dispatched")), 1, limit);
    QCOMPARE(next.received(), QStringList{id}); // S22
    QCOMPARE(next.attempts(), std::vector<int>{2});
    QCOMPARE(store.value(QStringLiteral("select cause from outbox.attempt")).toString(),
             QStringLiteral("lease-expired"));
}

void WorkerLeaseTest::buriesWhatKillsEveryWorker()
{
    TestStore store;
    store.stage(QStringLiteral("orders.placed"));
    for (int crash = 1; crash <= 3; ++crash) {
        auto crashed = TestWorker::holding(store.address());
        crashed.runtime->start();
        QTRY_COMPARE_WITH_TIMEOUT(crashed.held(), std::size_t{1}, limit);
        crashed.runtime.reset();
        store.run(QStringLiteral("update outbox.lease set expires_at = now() - interval '1 second'"));
    }
    TestWorker next(store.address(), accept);
    next.runtime->start();
    QTRY_COMPARE_WITH_TIMEOUT(count(store, QStringLiteral("dead_letter")), 1, limit);
    QVERIFY(next.received().isEmpty());
    QCOMPARE(store.value(QStringLiteral("select cause from outbox.dead_letter")).toString(),
             QStringLiteral("lease-expired"));
    QCOMPARE(store.value(QStringLiteral("select attempt from outbox.dead_letter")).toInt(), 3);
}

void WorkerLeaseTest::extendsTheLeaseOfWhatIsInFlight()
{
    TestStore store;
    store.stage(QStringLiteral("orders.placed"));
    auto settings = TestWorker::quickSettings();
    settings.lease = milliseconds{2000};
    auto worker = TestWorker::holding(store.address(), settings);
    worker.runtime->start();
    QTRY_COMPARE_WITH_TIMEOUT(worker.held(), std::size_t{1}, limit);
    // Far beyond its first expiry only because it was extended again and again, and nobody gave up meanwhile.
    QTRY_VERIFY_WITH_TIMEOUT(
        store.value(QStringLiteral("select expires_at > claimed_at + interval '5 seconds' from outbox.lease")).toBool(),
        limit);
    QCOMPARE(count(store, QStringLiteral("processing")), 1);
    QCOMPARE(count(store, QStringLiteral("attempt")), 0);
}

QTEST_GUILESS_MAIN(WorkerLeaseTest)
#include "worker_lease_test.moc"
