// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "postgres/test_worker.h"
#include "store/migrator.h"

#include <QSqlQuery>
#include <QTest>

using namespace outbox;
using namespace outbox::test;

namespace {

constexpr int limit = 30000;

/// The log's events of one name, as they come.
class Events {
public:
    explicit Events(const QString &name)
    {
        QObject::connect(&listener_, &log::Listener::written, &listener_, [this, name](const log::Line &line) {
            if (line.event == name)
                texts << line.text;
        });
    }
    QStringList texts;

private:
    log::Listener listener_;
};

bool isReady(const TestWorker &worker) { return worker.runtime->status().storeReady; }

} // namespace

class WorkerOutageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void comesBackAfterARestart();      // S14 S15
    void waitsForTheSchema();           // S15
    void waitsForTheRight();            // S15
    void waitsWhileReadOnly();          // S15
    void treatsFlappingAsOneOutage();   // S15
    void waitsForAFreeConnection();     // S15
    void writesTheOutcomesOfAnOutage(); // S8 S11
};

void WorkerOutageTest::comesBackAfterARestart()
{
    auto cluster = TestCluster::own();
    TestStore store(*cluster);
    Events away(QStringLiteral("store.unavailable"));
    Events back(QStringLiteral("store.available"));
    auto settings = TestWorker::quickSettings();
    settings.poll = milliseconds{2500};
    TestWorker worker(store.address(), accept, settings);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(!worker.asleep.isEmpty(), limit);

    cluster->stopServer();
    QTRY_VERIFY_WITH_TIMEOUT(!isReady(worker), limit);
    QVERIFY(!worker.runtime->status().reason.isEmpty());
    worker.asleep.clear();
    cluster->startServer();
    QTRY_VERIFY_WITH_TIMEOUT(isReady(worker), limit);
    QTRY_VERIFY_WITH_TIMEOUT(!worker.asleep.isEmpty(), limit);
    const QString id = store.stage(QStringLiteral("orders.placed"));
    QTRY_COMPARE_WITH_TIMEOUT(worker.received(), QStringList{id}, limit);
    QCOMPARE(away.texts.size(), 1);
    QCOMPARE(back.texts.size(), 1);
    QVERIFY(back.texts.constFirst().contains(QStringLiteral("after_ms=")));
    QVERIFY(back.texts.constFirst().contains(QStringLiteral("suppressed=")));
}

void WorkerOutageTest::waitsForTheSchema()
{
    TestStore store(TestCluster::shared(), TestStore::Schema::none);
    TestWorker worker(store.address(), accept);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(worker.runtime->status().reason.contains(QStringLiteral("outbox migrate")), limit);
    QVERIFY(store::migrate(store.database()).ok());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(worker), limit);
}

void WorkerOutageTest::waitsForTheRight()
{
    TestStore store;
    TestWorker worker(store.address(Login::viewer), accept);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(worker.runtime->status().reason.contains(QStringLiteral("outbox_worker")), limit);
    store.run(QStringLiteral("grant outbox_worker to %1").arg(store.address(Login::viewer).user));
    QTRY_VERIFY_WITH_TIMEOUT(isReady(worker), limit);
    store.run(QStringLiteral("revoke outbox_worker from %1").arg(store.address(Login::viewer).user));
}

void WorkerOutageTest::waitsWhileReadOnly()
{
    TestStore store;
    store.run(QStringLiteral("alter database %1 set default_transaction_read_only = on").arg(store.name()));
    TestWorker worker(store.address(), accept);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(worker.runtime->status().reason.contains(QStringLiteral("read-only")), limit);
    auto writable = store.connect(Login::superuser);
    QSqlQuery statement(writable);
    QVERIFY(statement.exec(QStringLiteral("set default_transaction_read_only = off")));
    QVERIFY(statement.exec(QStringLiteral("alter database %1 reset default_transaction_read_only").arg(store.name())));
    QTRY_VERIFY_WITH_TIMEOUT(isReady(worker), limit);
}

void WorkerOutageTest::treatsFlappingAsOneOutage()
{
    TestStore store;
    // Lets the worker in, and then refuses it.
    store.run(QStringLiteral("revoke execute on function outbox.route_lanes() from outbox_worker"));
    Events away(QStringLiteral("store.unavailable"));
    Events back(QStringLiteral("store.available"));
    TestWorker worker(store.address(Login::worker), accept);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(worker.changed.size() >= 12, limit);
    QCOMPARE(away.texts.size(), 2);
    QCOMPARE(back.texts.size(), 1);
    store.run(QStringLiteral("grant execute on function outbox.route_lanes() to outbox_worker"));
    QTRY_COMPARE_WITH_TIMEOUT(back.texts.size(), 2, limit);
    QVERIFY(isReady(worker));
}

void WorkerOutageTest::waitsForAFreeConnection()
{
    TestStore store;
    auto address = store.address(Login::worker);
    store.run(QStringLiteral("alter database %1 connection limit 0").arg(store.name()));
    TestWorker worker(address, accept);
    worker.runtime->start();
    QTRY_VERIFY_WITH_TIMEOUT(worker.runtime->status().reason.contains(QStringLiteral("free connection")), limit);
    store.run(QStringLiteral("alter database %1 connection limit -1").arg(store.name()));
    QTRY_VERIFY_WITH_TIMEOUT(isReady(worker), limit);
}

void WorkerOutageTest::writesTheOutcomesOfAnOutage()
{
    auto cluster = TestCluster::own();
    TestStore store(*cluster);
    store.stage(QStringLiteral("orders.placed"));
    auto settings = TestWorker::quickSettings();
    settings.poll = milliseconds{2500};
    auto worker = TestWorker::holding(store.address(), settings);
    worker.runtime->start();
    QTRY_COMPARE_WITH_TIMEOUT(worker.held(), std::size_t{1}, limit);
    cluster->stopServer(TestCluster::Stop::immediate);
    worker.answerAll(delivery::Accepted{});
    cluster->startServer();
    QTRY_COMPARE_WITH_TIMEOUT(store.value(QStringLiteral("select count(*) from outbox.dispatched")).toInt(), 1, limit);
    QCOMPARE(worker.received().size(), 1);
}

QTEST_GUILESS_MAIN(WorkerOutageTest)
#include "worker_outage_test.moc"
