// SPDX-License-Identifier: Apache-2.0
#include "charts/time_chart.h"
#include "destination/in_process/in_process_destination.h"
#include "finding.h"
#include "heartbeat.h"
#include "real_window.h"
#include "screenshots.h"
#include "shell/banner.h"
#include "widgets/gauge.h"
#include "widgets/pill.h"
#include "widgets/switch.h"

#include <QSignalSpy>
#include <QSqlQuery>
#include <QTest>

using namespace outbox;
using namespace outbox::test;

/// The overview against a real database, through the real engine.
class OverviewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // D2
    void gaugesShowTheStoreLive()
    {
        TestStore store;
        stageMany(store, QStringLiteral("orders.placed"), 5);
        stageMany(store, QStringLiteral("payments.capture"), 2);
        failAll(store, QStringLiteral("payments.capture"), QStringLiteral("rejected"), QStringLiteral("422"));
        RealWindow real(store);
        const auto gauges = real.window().findChildren<ui::Gauge *>();
        QTRY_COMPARE(gauges[0]->figure(), QStringLiteral("5"));
        QCOMPARE(gauges[1]->figure(), QStringLiteral("2"));
        QVERIFY(gauges[2]->words().contains(QStringLiteral("orders.placed")));
        stageMany(store, QStringLiteral("orders.placed"), 1200);
        QTRY_COMPARE(gauges[0]->figure(), QStringLiteral("1,205"));
        // The backlog has its history, and the chart draws it.
        auto *chart = named<ui::TimeChart>(real.window(), QStringLiteral("Backlog over time"));
        QTRY_VERIFY(chart->accessibleDescription().contains(QStringLiteral("pending 1,205")));
        QVERIFY(real.window().feed().backlog().size() >= 2);
        QVERIFY(button(real.window(), QStringLiteral("Show dead letters")));
        QVERIFY(screenshot(real.window(), QStringLiteral("real-overview")));
    }

    // D1
    void theWindowLivesWhileTheDatabaseIsStuck()
    {
        TestStore store;
        stageMany(store, QStringLiteral("orders.placed"), 3);
        RealWindow real(store);
        const auto gauges = real.window().findChildren<ui::Gauge *>();
        QTRY_COMPARE(gauges[0]->figure(), QStringLiteral("3"));
        real.window().feed().setPaused(true);
        auto blocker = store.connect(Login::superuser);
        QVERIFY(blocker.transaction());
        QVERIFY(QSqlQuery(blocker).exec(QStringLiteral("lock table outbox.pending in access exclusive mode")));
        // Whatever was under way has ended in this lock; what is asked now cannot be answered.
        QSignalSpy answered(&real.window().feed(), &ui::Feed::overviewChanged);
        real.window().feed().refresh();
        QTimer beat;
        QSignalSpy beats(&beat, &QTimer::timeout);
        beat.start(5);
        QTRY_VERIFY(beats.count() >= 40);
        QVERIFY(answered.isEmpty());
        real.window().showPage(QStringLiteral("records"));
        real.window().showPage(QStringLiteral("overview"));
        QVERIFY(screenshot(real.window(), QStringLiteral("real-stuck")));
        QVERIFY(blocker.rollback());
        QTRY_VERIFY(!answered.isEmpty());
        QTRY_VERIFY(!real.window().feed().overview().error);
    }

    // D1, D2
    void theSwitchDispatchesFromHere()
    {
        TestStore store;
        stageMany(store, QStringLiteral("orders.placed"), 40);
        dispatch::WorkerSettings settings;
        settings.routes = {{QStringLiteral("*"), QStringLiteral("here")}};
        delivery::DestinationCatalogue catalogue;
        catalogue.push_back(
            {DestinationName(QStringLiteral("here")), 64, [](delivery::OutcomeSink &sink) {
                 return std::make_unique<destination::InProcessDestination>(
                     sink, destination::InProcessDestination::Handler(
                               [](const Message &, int) -> delivery::DeliveryOutcome { return delivery::Accepted{}; }));
             }});
        RealWindow real(store, Login::superuser, settings, std::move(catalogue));
        const auto gauges = real.window().findChildren<ui::Gauge *>();
        QTRY_COMPARE(gauges[0]->figure(), QStringLiteral("40"));
        auto *dispatch = real.window().findChild<ui::Switch *>();
        auto heartbeat = std::make_unique<Heartbeat>(QStringLiteral("dispatching from the window"));
        dispatch->click();
        QTRY_COMPARE_WITH_TIMEOUT(gauges[0]->figure(), QStringLiteral("0"), 30'000);
        QTRY_VERIFY(dispatch->isChecked());
        heartbeat.reset();
        QTRY_COMPARE_WITH_TIMEOUT(store.value(QStringLiteral("select count(*) from outbox.dispatched")).toInt(), 40,
                                  30'000);
        dispatch->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dispatch->isChecked() && dispatch->isEnabled(), 30'000);
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.lease")).toInt(), 0);
    }

    void anOutageIsSaidAndEndsByItself()
    {
        const auto cluster = TestCluster::own();
        TestStore store(*cluster);
        stageMany(store, QStringLiteral("orders.placed"), 3);
        RealWindow real(store);
        const auto gauges = real.window().findChildren<ui::Gauge *>();
        auto *banner = real.window().findChild<ui::Banner *>();
        auto *pill = real.window().findChild<ui::Pill *>();
        QTRY_COMPARE(gauges[0]->figure(), QStringLiteral("3"));
        cluster->stopServer(TestCluster::Stop::immediate);
        QTRY_VERIFY_WITH_TIMEOUT(pill->text().startsWith(QStringLiteral("Store unavailable since")), 30'000);
        QVERIFY(banner->text().contains(QStringLiteral("What is shown is of ")));
        QCOMPARE(gauges[0]->figure(), QStringLiteral("3"));
        QVERIFY(screenshot(real.window(), QStringLiteral("real-away")));
        cluster->startServer();
        QTRY_COMPARE_WITH_TIMEOUT(pill->text(), QStringLiteral("Store ready"), 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(banner->isHidden(), 30'000);
    }

    void aViewerIsShownAsReadOnly()
    {
        TestStore store;
        RealWindow real(store, Login::viewer);
        auto *pill = real.window().findChild<ui::Pill *>();
        QTRY_COMPARE(pill->text(), QStringLiteral("Store ready, read-only"));
    }
};

QTEST_MAIN(OverviewTest)

#include "overview_test.moc"
