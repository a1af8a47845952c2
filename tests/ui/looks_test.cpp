// SPDX-License-Identifier: Apache-2.0
#include "dialogs/replay/replay_dialog.h"
#include "finding.h"
#include "screenshots.h"
#include "scripted_data.h"
#include "shell/main_window.h"
#include "theme/theme.h"

#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace outbox;
using namespace outbox::test;
namespace theme = outbox::ui::theme;

/// Pictures of every page and of the designed looks, in light and dark.
class LooksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English)); }

    void pages_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::newRow("light") << int(theme::Scheme::light);
        QTest::newRow("dark") << int(theme::Scheme::dark);
    }

    void pages()
    {
        QFETCH(int, scheme);
        theme::apply(*qApp, theme::Scheme(scheme));
        const QString tail = QString::fromLatin1(QTest::currentDataTag());
        ScriptedPort port;
        fillWithAfternoon(port);
        ui::MainWindow window(port);
        QSignalSpy overview(&window.feed(), &ui::Feed::overviewChanged);
        giveHistory(port, window, overview);
        window.show();
        QVERIFY(overview.wait());
        Q_EMIT port.logLine(QStringLiteral("14:07:29 info dispatch.paused destination=payments retry_after=30s"));
        QTRY_VERIFY(settled());
        QVERIFY(screenshot(window, QStringLiteral("overview-") + tail));

        window.showPage(QStringLiteral("records"));
        auto *records = window.page(1)->findChild<QTableView *>(QStringLiteral("records"));
        QTRY_COMPARE(records->model()->rowCount(), 200);
        records->setCurrentIndex(records->model()->index(4, 0));
        QTRY_VERIFY(settled());
        QVERIFY(screenshot(window, QStringLiteral("records-") + tail));
        for (const int row : {1, 3, 10}) {
            records->setCurrentIndex(records->model()->index(row, 0));
            QTRY_VERIFY(settled());
            QVERIFY(screenshot(window, QStringLiteral("records-%1-").arg(row) + tail));
        }

        window.showPage(QStringLiteral("dead_letters"));
        auto *groups = window.page(2)->findChild<QTableView *>(QStringLiteral("groups"));
        auto *dead = window.page(2)->findChild<QTableView *>(QStringLiteral("dead-letters"));
        QTRY_VERIFY(groups->model()->rowCount() > 0);
        groups->setCurrentIndex(groups->model()->index(0, 0));
        QTRY_VERIFY(dead->model()->rowCount() > 0);
        dead->selectRow(1);
        QTRY_VERIFY(settled());
        QVERIFY(screenshot(window, QStringLiteral("dead_letters-") + tail));

        ui::ReplayDialog dialog(port, {{}, port.groupsAnswer.value().constFirst()}, &window);
        dialog.open();
        auto *forward = button(dialog, QStringLiteral("Continue"));
        QVERIFY(forward);
        QTRY_VERIFY(forward->isEnabled());
        QTRY_VERIFY(settled());
        QVERIFY(screenshot(dialog, QStringLiteral("replay-what-") + tail));
        forward->click();
        dialog.findChild<QPlainTextEdit *>()->setPlainText(
            QStringLiteral("Provider fixed the currency check (their incident 4412). Verified with one record."));
        QTRY_VERIFY(forward->isEnabled());
        QTRY_VERIFY(settled());
        QVERIFY(screenshot(dialog, QStringLiteral("replay-why-") + tail));
        port.verdict = [](MessageId id) {
            const bool fine = id.value().data4[7] % 3 != 0;
            return api::ReplayVerdict{id, fine, fine ? QString() : QStringLiteral("not a dead letter")};
        };
        forward->click();
        QTRY_VERIFY(button(dialog, QStringLiteral("Close")));
        QTRY_VERIFY(settled());
        QVERIFY(screenshot(dialog, QStringLiteral("replay-result-") + tail));
    }

    void designedLooks_data() { pages_data(); }

    void designedLooks()
    {
        QFETCH(int, scheme);
        theme::apply(*qApp, theme::Scheme(scheme));
        const QString tail = QString::fromLatin1(QTest::currentDataTag());
        ScriptedPort port;
        port.store = {
            api::StoreCondition::ready, QStringLiteral("orders @ db-prod"), QStringLiteral("viewer_1"), {}, false, 0};
        port.overviewAnswer = emptyOverview();
        ui::MainWindow window(port);
        QSignalSpy overview(&window.feed(), &ui::Feed::overviewChanged);
        window.show();
        QVERIFY(overview.wait());
        for (int page = 0; page < window.pageCount(); ++page) {
            window.showPage(page);
            QTRY_VERIFY(settled());
            QVERIFY(screenshot(window, QStringLiteral("empty-%1-").arg(page) + tail));
        }
        const api::OperationError away{
            api::OperationError::Kind::unavailable,
            QStringLiteral("The server closed the connection. The engine reconnects by itself.")};
        port.overviewAnswer = away;
        port.groupsAnswer = away;
        port.throughputAnswer = away;
        port.refuse = away;
        port.setStore({api::StoreCondition::unavailable,
                       QStringLiteral("orders @ db-prod"),
                       {},
                       QStringLiteral("Connection refused at db-prod, port 5432."),
                       true,
                       QDateTime::currentMSecsSinceEpoch() - 90'000});
        ui::MainWindow fresh(port);
        QSignalSpy asked(&fresh.feed(), &ui::Feed::overviewChanged);
        fresh.show();
        QVERIFY(asked.wait());
        for (int page = 0; page < fresh.pageCount(); ++page) {
            fresh.showPage(page);
            QTRY_VERIFY(settled());
            QVERIFY(screenshot(fresh, QStringLiteral("away-%1-").arg(page) + tail));
        }
    }

private:
    /// Two rounds of the event loop: what was asked when the page was shown has been answered and laid out.
    static bool settled()
    {
        for (int round = 0; round < 3; ++round) {
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
        }
        return true;
    }

    static api::Overview emptyOverview()
    {
        api::Overview overview;
        overview.at = nowForTests();
        return overview;
    }

    /// Ten minutes of answers, so that the backlog has a past.
    static void giveHistory(ScriptedPort &port, ui::MainWindow &window, QSignalSpy &answered)
    {
        const api::Overview last = port.overviewAnswer.value();
        for (int i = 150; i > 0; --i) {
            api::Overview past = last;
            past.at = last.at - seconds{4 * i};
            past.pending.value =
                last.pending.value + std::int64_t(5200 * std::exp(-std::pow((i - 85) / 22.0, 2))) + 6 * i;
            past.deadLetters.value = std::max<std::int64_t>(0, last.deadLetters.value - i / 2);
            port.overviewAnswer = past;
            const auto before = answered.count();
            window.feed().refresh();
            QTRY_VERIFY(answered.count() > before);
        }
        port.overviewAnswer = last;
    }
};

QTEST_MAIN(LooksTest)

#include "looks_test.moc"
