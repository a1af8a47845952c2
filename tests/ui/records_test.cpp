// SPDX-License-Identifier: Apache-2.0
#include "finding.h"
#include "heartbeat.h"
#include "pages/records/record_view.h"
#include "real_window.h"
#include "screenshots.h"
#include "widgets/json_view.h"
#include "widgets/timeline.h"

#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

using namespace outbox;
using namespace outbox::test;

/// The records page against a real database.
class RecordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pagesComeAsTheListIsScrolled()
    {
        TestStore store;
        stageMany(store, QStringLiteral("orders.placed"), 450);
        RealWindow real(store);
        auto *table = tableOf(real);
        QTRY_COMPARE(table->model()->rowCount(), 200);
        table->scrollToBottom();
        QTRY_COMPARE(table->model()->rowCount(), 400);
        table->scrollToBottom();
        QTRY_COMPARE(table->model()->rowCount(), 450);
        QSet<QString> seen;
        for (int row = 0; row < 450; ++row)
            seen.insert(table->model()->index(row, 0).data(Qt::UserRole + 2).toUuid().toString());
        QCOMPARE(seen.size(), 450);
    }

    void filtersAskTheStore()
    {
        TestStore store;
        stageMany(store, QStringLiteral("orders.placed"), 7);
        stageMany(store, QStringLiteral("payments.capture"), 3);
        failAll(store, QStringLiteral("payments.capture"), QStringLiteral("timeout"), QStringLiteral("no answer"));
        RealWindow real(store);
        auto *table = tableOf(real);
        QTRY_COMPARE(table->model()->rowCount(), 10);
        auto *type = named<QComboBox>(real.window(), QStringLiteral("Filter by type"));
        QTRY_COMPARE(type->count(), 3);
        choose(*type, QStringLiteral("orders.placed"));
        QTRY_COMPARE(table->model()->rowCount(), 7);
        choose(*type, QStringLiteral("All types"));
        auto *state = named<QComboBox>(real.window(), QStringLiteral("Filter by state"));
        choose(*state, QStringLiteral("✖ Dead letter"));
        QTRY_COMPARE(table->model()->rowCount(), 3);
        choose(*state, QStringLiteral("✓ Dispatched"));
        QTRY_COMPARE(table->model()->rowCount(), 0);
        QTRY_VERIFY(screenshot(real.window(), QStringLiteral("real-no-match")));
    }

    // D3
    void aRecordTellsItsWholeWay()
    {
        TestStore store;
        const QString id = store.stage(QStringLiteral("payments.capture"), QStringLiteral("{\"z\":1.50,\"a\":\"é\"}"));
        failAll(store, QStringLiteral("payments.capture"), QStringLiteral("timeout"),
                QStringLiteral("no answer within 10 s"));
        store.run(QStringLiteral("select * from outbox.replay(array[?::uuid], 'repaired the proxy')"), {id});
        RealWindow real(store);
        auto *view = goTo(real, id);
        QTRY_VERIFY(view->detail().has_value());
        auto *timeline = view->findChild<ui::Timeline *>();
        using Kind = ui::TimelineItem::Kind;
        QList<Kind> kinds;
        for (const auto &item : timeline->items())
            kinds.append(item.kind);
        QCOMPARE(kinds, (QList<Kind>{Kind::span, Kind::span, Kind::failure, Kind::span, Kind::replay, Kind::span}));
        QVERIFY(timeline->accessibleDescription().contains(QStringLiteral("no answer within 10 s")));
        QVERIFY(timeline->accessibleDescription().contains(QStringLiteral("repaired the proxy")));
        // The keyboard reaches every item.
        timeline->setFocus();
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(timeline, Qt::Key_Right);
        QCOMPARE(timeline->chosen(), timeline->items()[4].words);
        // The payload is laid out and otherwise as staged.
        QCOMPARE(named<ui::JsonView>(*view, QStringLiteral("Payload"))->toPlainText(),
                 QStringLiteral("{\n  \"z\": 1.50,\n  \"a\": \"é\"\n}"));
        QVERIFY(screenshot(real.window(), QStringLiteral("real-record")));
        const auto actions = view->findChild<QMenu *>()->actions();
        actions[0]->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), id);
        actions[1]->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("{\"z\":1.50,\"a\":\"é\"}"));
    }

    void anUnknownIdIsSaid()
    {
        TestStore store;
        stageMany(store, QStringLiteral("orders.placed"), 2);
        RealWindow real(store);
        auto *table = tableOf(real);
        QTRY_COMPARE(table->model()->rowCount(), 2);
        auto *view = goTo(real, QStringLiteral("01936f2a-7c41-7d02-9b1e-5a0c3e8841aa"));
        QTRY_VERIFY(says(*view, QStringLiteral("No such record")));
    }

    // D1
    void manyRecordsDoNotHoldTheWindowUp()
    {
        const int count = qEnvironmentVariableIntValue("OUTBOX_UI_RECORDS") > 0
                              ? qEnvironmentVariableIntValue("OUTBOX_UI_RECORDS")
                              : 20'000;
        TestStore store;
        stageMany(store, QStringLiteral("orders.placed"), count);
        const QString id = store.value(QStringLiteral("select id from outbox.message order by id limit 1")).toString();
        store.run(QStringLiteral("analyze"));
        RealWindow real(store);
        QTRY_VERIFY(real.window().feed().overview().value.has_value());
        // The window is up; from here on only what its user waits for is measured.
        const Heartbeat heartbeat(QStringLiteral("%1 records: list, scroll, jump").arg(count));
        auto *table = tableOf(real);
        QTRY_COMPARE(table->model()->rowCount(), 200);
        for (int page = 2; page <= 10; ++page) {
            table->scrollToBottom();
            QTRY_COMPARE(table->model()->rowCount(), 200 * page);
        }
        auto *view = goTo(real, id);
        QTRY_VERIFY(view->detail().has_value());
        QCOMPARE(toText(view->detail()->message.id), id);
    }

private:
    static QTableView *tableOf(RealWindow &real)
    {
        return real.page(QStringLiteral("records")).findChild<QTableView *>(QStringLiteral("records"));
    }

    static void choose(QComboBox &box, const QString &text)
    {
        box.setCurrentText(text);
        Q_EMIT box.activated(box.currentIndex());
    }

    /// As an operator does: types the id and presses Enter.
    static ui::RecordView *goTo(RealWindow &real, const QString &id)
    {
        auto &page = real.page(QStringLiteral("records"));
        auto *field = named<QLineEdit>(page, QStringLiteral("Go to the record with this id"));
        field->setText(id);
        QTest::keyClick(field, Qt::Key_Return);
        return page.findChild<ui::RecordView *>();
    }
};

QTEST_MAIN(RecordsTest)

#include "records_test.moc"
