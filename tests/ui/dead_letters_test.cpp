// SPDX-License-Identifier: Apache-2.0
#include "dialogs/replay/replay_dialog.h"
#include "dialogs/replay/verdicts_model.h"
#include "finding.h"
#include "heartbeat.h"
#include "real_window.h"
#include "screenshots.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTest>

using namespace outbox;
using namespace outbox::test;

/// Dead letters and their way back, against a real database.
class DeadLettersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // D4, S23
    void aReplayWantsAReasonAndIsAudited()
    {
        TestStore store;
        stageMany(store, QStringLiteral("payments.capture"), 5);
        failAll(store, QStringLiteral("payments.capture"), QStringLiteral("rejected"), QStringLiteral("422 currency"));
        const QString payloads = QStringLiteral("select string_agg(payload::text, '' order by id) from outbox.message");
        const QString before = store.value(payloads).toString();
        RealWindow real(store);
        auto &page = real.page(QStringLiteral("dead_letters"));
        auto *table = page.findChild<QTableView *>(QStringLiteral("dead-letters"));
        QTRY_COMPARE(table->model()->rowCount(), 5);
        QTRY_VERIFY(button(page, QStringLiteral("Replay all 5")));
        auto heartbeat = std::make_unique<Heartbeat>(QStringLiteral("dead letters and replay"));
        QVERIFY(!button(page, QStringLiteral("Replay selected"))->isEnabled());
        table->selectRow(0);
        table->selectionModel()->select(table->model()->index(2, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        auto *these = button(page, QStringLiteral("Replay these 2"));
        QVERIFY(these && these->isEnabled());
        these->click();

        auto *dialog = real.window().findChild<ui::ReplayDialog *>();
        QVERIFY(dialog);
        QTRY_VERIFY(button(*dialog, QStringLiteral("Continue"))->isEnabled());
        button(*dialog, QStringLiteral("Continue"))->click();
        auto *actor = named<QLineEdit>(*dialog, QStringLiteral("Actor, not editable"));
        QVERIFY(actor->isReadOnly());
        QVERIFY(actor->text().startsWith(QStringLiteral("test_operator ")));
        auto *replay = button(*dialog, QStringLiteral("Replay 2 records"));
        QVERIFY(!replay->isEnabled());
        auto *reason = dialog->findChild<QPlainTextEdit *>();
        reason->setPlainText(QStringLiteral("  \n "));
        QVERIFY(!replay->isEnabled());
        reason->setPlainText(QStringLiteral("The provider fixed its currency check."));
        QVERIFY(replay->isEnabled());
        replay->click();
        auto *verdicts = dialog->findChild<ui::VerdictsModel *>();
        QTRY_COMPARE(verdicts->replayed(), 2);
        QTRY_VERIFY(button(*dialog, QStringLiteral("Close")));
        heartbeat.reset();
        QVERIFY(screenshot(*dialog, QStringLiteral("real-replay")));
        button(*dialog, QStringLiteral("Close"))->click();

        const auto audit = store.rows(QStringLiteral("select actor, reason, cause::text, failure from outbox.replay"));
        QCOMPARE(audit.size(), 2);
        for (const QVariantList &row : audit)
            QCOMPARE(row, (QVariantList{QStringLiteral("test_operator"),
                                        QStringLiteral("The provider fixed its currency check."),
                                        QStringLiteral("rejected"), QStringLiteral("422 currency")}));
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.pending")).toInt(), 2);
        QCOMPARE(store.value(payloads).toString(), before);
        QTRY_COMPARE(table->model()->rowCount(), 3);
        QTRY_VERIFY(button(page, QStringLiteral("Replay all 3")));
    }

    // D4
    void allThatMatchAreTheGroupAndNotThePage()
    {
        TestStore store;
        stageMany(store, QStringLiteral("payments.capture"), 320);
        failAll(store, QStringLiteral("payments.capture"), QStringLiteral("timeout"), QStringLiteral("no answer"));
        stageMany(store, QStringLiteral("orders.placed"), 4);
        failAll(store, QStringLiteral("orders.placed"), QStringLiteral("rejected"), QStringLiteral("400"));
        RealWindow real(store);
        auto &page = real.page(QStringLiteral("dead_letters"));
        auto *groups = page.findChild<QTableView *>(QStringLiteral("groups"));
        QTRY_COMPARE(groups->model()->rowCount(), 2);
        groups->selectRow(0);
        QTRY_VERIFY(button(page, QStringLiteral("Replay all 320 that match")));
        QVERIFY(screenshot(real.window(), QStringLiteral("real-dead_letters")));
        button(page, QStringLiteral("Replay all 320 that match"))->click();
        auto *dialog = real.window().findChild<ui::ReplayDialog *>();
        QTRY_VERIFY(button(*dialog, QStringLiteral("Continue"))->isEnabled());
        button(*dialog, QStringLiteral("Continue"))->click();
        dialog->findChild<QPlainTextEdit *>()->setPlainText(QStringLiteral("The proxy answers again."));
        auto *replay = button(*dialog, QStringLiteral("Replay 320 records"));
        QVERIFY(!replay->isEnabled());
        named<QLineEdit>(*dialog, QStringLiteral("Number of records, typed to confirm"))
            ->setText(QStringLiteral("320"));
        QVERIFY(replay->isEnabled());
        replay->click();
        QTRY_COMPARE(dialog->findChild<ui::VerdictsModel *>()->replayed(), 320);
        QTRY_COMPARE(groups->model()->rowCount(), 1);
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.dead_letter")).toInt(), 4);
    }

    // D4
    void aRecordThatChangedMeanwhileIsLeftAndNamed()
    {
        TestStore store;
        stageMany(store, QStringLiteral("payments.capture"), 2);
        failAll(store, QStringLiteral("payments.capture"), QStringLiteral("timeout"), QStringLiteral("no answer"));
        RealWindow real(store);
        auto &page = real.page(QStringLiteral("dead_letters"));
        QTRY_VERIFY(button(page, QStringLiteral("Replay all 2")) &&
                    button(page, QStringLiteral("Replay all 2"))->isEnabled());
        button(page, QStringLiteral("Replay all 2"))->click();
        auto *dialog = real.window().findChild<ui::ReplayDialog *>();
        QTRY_VERIFY(button(*dialog, QStringLiteral("Continue"))->isEnabled());
        button(*dialog, QStringLiteral("Continue"))->click();
        dialog->findChild<QPlainTextEdit *>()->setPlainText(QStringLiteral("repaired"));
        store.run(
            QStringLiteral("select * from outbox.replay(array(select id from outbox.dead_letter limit 1), 'first')"));
        button(*dialog, QStringLiteral("Replay 2 records"))->click();
        auto *verdicts = dialog->findChild<ui::VerdictsModel *>();
        QTRY_COMPARE(verdicts->refused(), 1);
        QCOMPARE(verdicts->replayed(), 1);
        QVERIFY(verdicts->asText().contains(QStringLiteral("not a dead letter")));
    }

    void aViewerMayLookAndNotReplay()
    {
        TestStore store;
        stageMany(store, QStringLiteral("payments.capture"), 2);
        failAll(store, QStringLiteral("payments.capture"), QStringLiteral("timeout"), QStringLiteral("no answer"));
        RealWindow real(store, Login::viewer);
        auto &page = real.page(QStringLiteral("dead_letters"));
        QTRY_VERIFY(button(page, QStringLiteral("Replay all 2")));
        auto *all = button(page, QStringLiteral("Replay all 2"));
        QTRY_VERIFY(!all->isEnabled());
        QTRY_VERIFY(all->toolTip().contains(QStringLiteral("test_viewer may not replay")));
    }

    void enterOpensTheRecord()
    {
        TestStore store;
        stageMany(store, QStringLiteral("payments.capture"), 1);
        failAll(store, QStringLiteral("payments.capture"), QStringLiteral("timeout"), QStringLiteral("no answer"));
        RealWindow real(store);
        auto &page = real.page(QStringLiteral("dead_letters"));
        auto *table = page.findChild<QTableView *>(QStringLiteral("dead-letters"));
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(real.window().page(1)->isVisible());
    }
};

QTEST_MAIN(DeadLettersTest)

#include "dead_letters_test.moc"
