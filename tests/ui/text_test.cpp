// SPDX-License-Identifier: Apache-2.0
#include "charts/scale.h"
#include "scripted_data.h"
#include "text/json_layout.h"
#include "text/words.h"
#include "widgets/timeline_items.h"

#include <QLocale>
#include <QTest>

using namespace outbox;
using namespace outbox::test;
namespace text = outbox::ui::text;

/// What the window says, and where it draws it.
class TextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English)); }

    void durationsHaveTheDigitsTheyAreWorth_data()
    {
        QTest::addColumn<qint64>("ms");
        QTest::addColumn<QString>("words");
        QTest::newRow("negative") << qint64{-5} << QStringLiteral("0 ms");
        QTest::newRow("short") << qint64{41} << QStringLiteral("41 ms");
        QTest::newRow("seconds") << qint64{3400} << QStringLiteral("3.4 s");
        QTest::newRow("more seconds") << qint64{84'900} << QStringLiteral("84 s");
        QTest::newRow("minutes") << qint64{22 * 60'000} << QStringLiteral("22 min");
        QTest::newRow("hours") << qint64{125 * 60'000} << QStringLiteral("2 h 5 min");
        QTest::newRow("days") << qint64{76LL * 3'600'000} << QStringLiteral("3 d 4 h");
    }

    void durationsHaveTheDigitsTheyAreWorth()
    {
        QFETCH(qint64, ms);
        QTEST(text::duration(milliseconds{ms}), "words");
    }

    void countsSayWhenTheyAreAtLeast()
    {
        QCOMPARE(text::number(api::Count{1284, true}), QStringLiteral("1,284"));
        QCOMPARE(text::number(api::Count{100'000, false}), QStringLiteral("over 100,000"));
        QCOMPARE(text::records(1), QStringLiteral("1 record"));
    }

    void payloadsAreLaidOutAndOtherwiseUnchanged_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QString>("shown");
        QTest::newRow("order, digits, doubled keys")
            << QByteArray("{\"b\":1.10,\"a\":1e3,\"b\":2}")
            << QStringLiteral("{\n  \"b\": 1.10,\n  \"a\": 1e3,\n  \"b\": 2\n}");
        QTest::newRow("escapes and brackets in texts")
            << QByteArray("[\"a\\\"]{\\u0000\",\"é\"]") << QStringLiteral("[\n  \"a\\\"]{\\u0000\",\n  \"é\"\n]");
        QTest::newRow("empty things") << QByteArray("{\"a\":{ },\"b\":[]}")
                                      << QStringLiteral("{\n  \"a\": {},\n  \"b\": []\n}");
        QTest::newRow("one value") << QByteArray(" 7 ") << QStringLiteral("7");
        QTest::newRow("broken") << QByteArray("{\"a") << QStringLiteral("{\n  \"a");
    }

    void payloadsAreLaidOutAndOtherwiseUnchanged()
    {
        QFETCH(QByteArray, payload);
        QTEST(text::layOutJson(payload).text, "shown");
    }

    void longPayloadsAreCutAndSaySo()
    {
        const QByteArray payload = "\"" + QByteArray(5000, 'x') + "\"";
        QVERIFY(text::layOutJson(payload, 1000).cut);
        QVERIFY(!text::layOutJson(payload, 6000).cut);
    }

    void countAxesHaveWholeRoundTicks()
    {
        for (const double highest : {0.0, 1.0, 7.0, 89.0, 6994.0, 123456.0}) {
            const auto ticks = ui::countTicks(highest);
            QVERIFY(ticks.size() >= 2 && ticks.size() <= 6);
            QVERIFY(ticks.constLast().at >= highest);
            for (const ui::Tick &tick : ticks) {
                QCOMPARE(tick.at, std::round(tick.at));
                QVERIFY2(!tick.label.contains(QStringLiteral(".0")), qPrintable(tick.label));
            }
        }
    }

    void timeAxesTickAtRoundTimes()
    {
        const qint64 from = 1'764'547'321'123;
        for (const qint64 minutes : {1, 15, 60, 24 * 60, 7 * 24 * 60}) {
            const auto ticks = ui::timeTicks(from, from + minutes * 60'000);
            QVERIFY2(ticks.size() >= 2 && ticks.size() <= 6, qPrintable(QString::number(ticks.size())));
            for (const ui::Tick &tick : ticks)
                QCOMPARE(qint64(tick.at) % 10'000, 0);
        }
    }

    // D3
    void aTimelineHasEveryStateAttemptAndReplay()
    {
        using Kind = ui::TimelineItem::Kind;
        const auto record =
            eventfulRecord(rowOf(1, DeadLetter{1, {}, FailureCause::timeout, QStringLiteral("no answer")}));
        const auto items = ui::timelineOf(record);
        QList<Kind> kinds;
        for (const auto &item : items)
            kinds.append(item.kind);
        // Waited, tried, failed; dead until replayed; waited, tried, failed; dead.
        QCOMPARE(kinds, (QList<Kind>{Kind::span, Kind::span, Kind::failure, Kind::span, Kind::replay, Kind::span,
                                     Kind::span, Kind::failure, Kind::span}));
        Timestamp reached = record.stagedAt;
        for (const auto &item : items) {
            if (item.kind != Kind::span)
                continue;
            QCOMPARE(item.from, reached);
            reached = item.to;
        }
        QCOMPARE(reached, record.readAt);
        QVERIFY(items[4].words.contains(QStringLiteral("ops_lead")));
    }

    // D3
    void whatIsExpectedIsNotDrawnAsDone()
    {
        const auto waiting = ui::timelineOf(eventfulRecord(rowOf(1, Pending{2, {}})));
        QCOMPARE(waiting.constLast().kind, ui::TimelineItem::Kind::expected);
        QCOMPARE(waiting.constLast().state, StateKind::pending);
        const auto running = ui::timelineOf(eventfulRecord(rowOf(1, Processing{})));
        QCOMPARE(running.constLast().kind, ui::TimelineItem::Kind::expected);
        QCOMPARE(running.constLast().state, StateKind::processing);
        const auto done = ui::timelineOf(eventfulRecord(rowOf(1, Dispatched{})));
        QCOMPARE(done.constLast().kind, ui::TimelineItem::Kind::accepted);
    }

    void statesAreSaidInSentences()
    {
        auto record = eventfulRecord(rowOf(1, Pending{2, {}}));
        QCOMPARE(text::stateSentence(record),
                 QStringLiteral("waits for its third attempt, due in 40 s, because: error at the destination"));
        record.destination.clear();
        QVERIFY(text::stateSentence(record).contains(QStringLiteral("no route")));
        QVERIFY(text::stateSentence(eventfulRecord(rowOf(1, Dispatched{1, {}})))
                    .startsWith(QStringLiteral("accepted by payments at the first attempt")));
    }
};

QTEST_MAIN(TextTest)

#include "text_test.moc"
