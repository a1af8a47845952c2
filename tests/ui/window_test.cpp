// SPDX-License-Identifier: Apache-2.0
#include "dialogs/replay/replay_dialog.h"
#include "finding.h"
#include "scripted_data.h"
#include "shell/banner.h"
#include "shell/main_window.h"
#include "shell/navigation.h"
#include "theme/theme.h"
#include "widgets/gauge.h"
#include "widgets/pill.h"
#include "widgets/switch.h"

#include <QAccessible>
#include <QFile>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace outbox;
using namespace outbox::test;
using namespace outbox::ui;

/// The shell, and the dialog's manners.
class WindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English));
        theme::apply(*qApp, theme::Scheme::light);
    }

    void everyPageHasNameIconAndShortcut()
    {
        ScriptedPort port;
        MainWindow window(port);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto *navigation = window.findChild<Navigation *>();
        const auto catalogue = pageCatalogue();
        QCOMPARE(navigation->count(), int(catalogue.size()));
        for (int i = int(catalogue.size()) - 1; i >= 0; --i) {
            QVERIFY2(QFile::exists(QStringLiteral(":/outbox/icons/%1.svg").arg(catalogue[i].id)),
                     qPrintable(catalogue[i].id));
            QTest::keyClick(&window, Qt::Key(Qt::Key_1 + i), Qt::ControlModifier);
            QVERIFY(window.page(i)->isVisible());
            QVERIFY(navigation->button(i)->isChecked());
        }
    }

    void everyControlHasANameAndAPlaceInTheTabOrder()
    {
        ScriptedPort port;
        fillWithAfternoon(port);
        MainWindow window(port);
        window.show();
        for (int page = 0; page < window.pageCount(); ++page) {
            window.showPage(page);
            QSet<QWidget *> reached;
            QWidget *at = &window;
            do {
                reached.insert(at);
                at = at->nextInFocusChain();
            } while (at != &window);
            const auto widgets = window.findChildren<QWidget *>();
            for (QWidget *widget : widgets) {
                if (!widget->isVisible() || widget->focusProxy() || !(widget->focusPolicy() & Qt::TabFocus))
                    continue;
                QVERIFY2(reached.contains(widget), widget->metaObject()->className());
                QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(widget);
                QVERIFY(accessible);
                QVERIFY2(!accessible->text(QAccessible::Name).isEmpty(), widget->metaObject()->className());
            }
        }
    }

    void theHeaderTellsTheStoreAndItsRights()
    {
        ScriptedPort port;
        MainWindow window(port);
        auto *pill = window.findChild<Pill *>();
        auto *banner = window.findChild<Banner *>();
        port.setStore({api::StoreCondition::ready, QStringLiteral("orders @ db"), QStringLiteral("ops"), {}, true, 0});
        QCOMPARE(pill->text(), QStringLiteral("Store ready"));
        QVERIFY(banner->isHidden());
        port.setStore(
            {api::StoreCondition::ready, QStringLiteral("orders @ db"), QStringLiteral("view"), {}, false, 0});
        QCOMPARE(pill->text(), QStringLiteral("Store ready, read-only"));
        port.setStore({api::StoreCondition::unavailable,
                       QStringLiteral("orders @ db"),
                       {},
                       QStringLiteral("Connection refused."),
                       true,
                       QDateTime::currentMSecsSinceEpoch()});
        QVERIFY(pill->text().startsWith(QStringLiteral("Store unavailable since ")));
        QCOMPARE(pill->tone(), Pill::Tone::bad);
        QVERIFY(!banner->isHidden());
        QVERIFY(banner->text().contains(QStringLiteral("Connection refused.")));
    }

    // D1
    void theSwitchShowsWhatIsAndNotWhatWasClicked()
    {
        ScriptedPort port;
        MainWindow window(port);
        auto *dispatch = window.findChild<Switch *>();
        dispatch->click();
        QCOMPARE(port.dispatchingAsked, (QList<bool>{true}));
        QVERIFY(!dispatch->isChecked());
        api::DispatcherStatus status;
        status.phase = api::DispatcherStatus::Phase::running;
        status.inFlight = 4;
        port.setDispatcher(status);
        QVERIFY(dispatch->isChecked());
        QVERIFY(dispatch->accessibleName().contains(QStringLiteral("on · 4 in flight")));
        dispatch->click();
        QCOMPARE(port.dispatchingAsked, (QList<bool>{true, false}));
    }

    // D2
    void aFailedRefreshKeepsTheGaugesAndSaysTheirAge()
    {
        ScriptedPort port;
        fillWithAfternoon(port);
        MainWindow window(port);
        QSignalSpy changed(&window.feed(), &Feed::overviewChanged);
        window.show();
        QVERIFY(changed.wait());
        const auto gauges = window.findChildren<Gauge *>();
        QCOMPARE(gauges.size(), 3);
        QCOMPARE(gauges[0]->figure(), QStringLiteral("1,284"));
        port.overviewAnswer =
            api::OperationError{api::OperationError::Kind::timeout, QStringLiteral("It took too long.")};
        window.feed().refresh();
        auto *banner = window.findChild<Banner *>();
        QTRY_VERIFY(banner->text().startsWith(QStringLiteral("It took too long. What is shown is of ")));
        QCOMPARE(gauges[0]->figure(), QStringLiteral("1,284"));
    }

    void ctrlKGoesToTheIdField()
    {
        ScriptedPort port;
        int detailsAsked = 0;
        port.detail = [&](MessageId) {
            ++detailsAsked;
            return api::OperationError{api::OperationError::Kind::not_found, {}};
        };
        MainWindow window(port);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        auto *field = named<QLineEdit>(window, QStringLiteral("Go to the record with this id"));
        QVERIFY(field);
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("no id"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(says(window, QStringLiteral("\"no id\" is no id")));
        QCOMPARE(detailsAsked, 0);
    }

    void lightAndDarkAreBothReadable()
    {
        for (const auto scheme : {theme::Scheme::light, theme::Scheme::dark}) {
            const theme::Colours &c = theme::colours(scheme);
            for (const QColor &colour :
                 {c.ink, c.secondary, c.accent, c.pending, c.processing, c.dispatched, c.deadLetter})
                QVERIFY2(contrast(colour, c.card) >= 4.2, qPrintable(colour.name()));
            QCOMPARE(&theme::coloursOf(theme::palette(scheme)), &c);
        }
    }

    // D4
    void enterNeverStartsAReplay()
    {
        ScriptedPort port;
        fillWithAfternoon(port);
        ReplayDialog dialog(port, {{}, port.groupsAnswer.value().constFirst()});
        dialog.open();
        auto *forward = button(dialog, QStringLiteral("Continue"));
        QTRY_VERIFY(forward->isEnabled());
        QVERIFY(!forward->isDefault());
        QVERIFY(button(dialog, QStringLiteral("Cancel"))->isDefault());
        forward->click();
        dialog.findChild<QPlainTextEdit *>()->setPlainText(QStringLiteral("repaired"));
        QSignalSpy finished(&dialog, &QDialog::finished);
        QTest::keyClick(&dialog, Qt::Key_Return);
        QCOMPARE(finished.count(), 1);
        QVERIFY(port.replayed.isEmpty());
    }

    // D4
    void manyRecordsWantTheirNumberTyped()
    {
        ScriptedPort port;
        for (int number = 150; number > 0; --number)
            port.rows.append(rowOf(number, DeadLetter{1, {}, FailureCause::rejected, QStringLiteral("no")}));
        ReplayDialog dialog(port, {});
        dialog.open();
        auto *forward = button(dialog, QStringLiteral("Continue"));
        QTRY_VERIFY(forward->isEnabled());
        forward->click();
        dialog.findChild<QPlainTextEdit *>()->setPlainText(QStringLiteral("repaired"));
        QVERIFY(!forward->isEnabled());
        named<QLineEdit>(dialog, QStringLiteral("Number of records, typed to confirm"))->setText(QStringLiteral("150"));
        QVERIFY(forward->isEnabled());
    }

    // D4
    void aReplayThatFailsSaysWhatIsKnown()
    {
        ScriptedPort port;
        fillWithAfternoon(port);
        ReplayDialog dialog(port, {{}, port.groupsAnswer.value().constFirst()});
        dialog.open();
        auto *forward = button(dialog, QStringLiteral("Continue"));
        QTRY_VERIFY(forward->isEnabled());
        forward->click();
        dialog.findChild<QPlainTextEdit *>()->setPlainText(QStringLiteral("repaired"));
        port.refuse =
            api::OperationError{api::OperationError::Kind::unavailable, QStringLiteral("The server went away.")};
        forward->click();
        QTRY_VERIFY(says(dialog, QStringLiteral("The server went away.")));
        QVERIFY(!dialog.changedAnything());
    }

private:
    static double contrast(const QColor &a, const QColor &b)
    {
        const auto light = [](const QColor &colour) {
            const auto part = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
            return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF()) + 0.0722 * part(colour.blueF());
        };
        const double high = std::max(light(a), light(b));
        const double low = std::min(light(a), light(b));
        return (high + 0.05) / (low + 0.05);
    }
};

QTEST_MAIN(WindowTest)

#include "window_test.moc"
