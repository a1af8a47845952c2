// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"
#include "base/service.h"
#include "base/service_thread.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <atomic>

using namespace outbox;

namespace {

/// Ends at once or a little later, and knows when something of it runs that should not.
class Probe : public Service {
    Q_OBJECT
public:
    explicit Probe(bool endsLater) : endsLater_(endsLater) {}
    int starts = 0;
    int stops = 0;
    bool alive = false;
    bool wrong = false;

protected:
    void onStart() override
    {
        wrong = wrong || alive;
        alive = true;
        ++starts;
    }
    void onStop() override
    {
        wrong = wrong || !alive;
        ++stops;
        if (!endsLater_)
            return end();
        QTimer::singleShot(0, this, &Probe::end);
    }

private:
    void end()
    {
        alive = false;
        finishStop();
    }
    bool endsLater_;
};

} // namespace

/// Start and stop, in any order and as often as anybody likes.
class ServiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stopBeforeStartIsLegal()
    {
        Probe probe(false);
        QSignalSpy stopped(&probe, &Service::stopped);
        probe.stop();
        QCOMPARE(stopped.count(), 1);
        QCOMPARE(probe.stops, 0);
    }

    void startTwiceStartsOnce()
    {
        Probe probe(false);
        QSignalSpy started(&probe, &Service::started);
        probe.start();
        probe.start();
        QCOMPARE(probe.starts, 1);
        QCOMPARE(started.count(), 1);
        QVERIFY(probe.isRunning());
        probe.stop();
        QVERIFY(!probe.isRunning());
    }

    void stopTwiceStopsOnce()
    {
        Probe probe(true);
        QSignalSpy stopped(&probe, &Service::stopped);
        probe.start();
        probe.stop();
        probe.stop();
        QTRY_COMPARE(stopped.count(), 1);
        QCOMPARE(probe.stops, 1);
        QVERIFY(!probe.alive);
    }

    void standsHammering_data()
    {
        QTest::addColumn<bool>("endsLater");
        QTest::newRow("ends at once") << false;
        QTest::newRow("ends later") << true;
    }
    void standsHammering()
    {
        QFETCH(bool, endsLater);
        Random random(qHash(QLatin1String("standsHammering"), endsLater));
        Probe probe(endsLater);
        QSignalSpy started(&probe, &Service::started);
        QSignalSpy stopped(&probe, &Service::stopped);
        for (int i = 0; i < 5000; ++i) {
            const double choice = random.unit();
            if (choice < 0.4)
                probe.start();
            else if (choice < 0.8)
                probe.stop();
            else
                QCoreApplication::processEvents();
        }
        probe.stop();
        QTRY_VERIFY(!probe.alive);
        QVERIFY(!probe.wrong);
        QVERIFY(probe.starts > 100);
        QCOMPARE(probe.starts, probe.stops);
        QCOMPARE(started.count(), probe.starts);
        QVERIFY(stopped.count() >= probe.stops);
    }

    void livesAndEndsInItsOwnThread()
    {
        auto made = std::make_unique<Probe>(true);
        auto *probe = made.get();
        std::atomic<QThread *> diedIn{nullptr};
        connect(probe, &QObject::destroyed, probe, [&] { diedIn = QThread::currentThread(); });
        QSignalSpy stopped(probe, &Service::stopped);
        QThread *own = nullptr;
        {
            ServiceThread<Probe> thread(std::move(made), QStringLiteral("probe"));
            own = probe->thread();
            QVERIFY(own != QThread::currentThread());
            thread.start();
            thread.stop();
            QTRY_COMPARE(stopped.count(), 1);
        }
        QCOMPARE(diedIn.load(), own);
    }
};

QTEST_GUILESS_MAIN(ServiceTest)

#include "service_test.moc"
