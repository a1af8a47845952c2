// SPDX-License-Identifier: Apache-2.0
#include "dispatch/lane_book.h"

#include <QTest>

#include <numeric>
#include <set>

using namespace outbox;
using dispatch::LaneBook;

namespace {

std::vector<store::Lane> lanes(int count, const QString &destination = QStringLiteral("sink"))
{
    std::vector<store::Lane> made;
    for (int i = 1; i <= count; ++i)
        made.push_back(
            {LaneId(i), DestinationName(destination), MessageType(QStringLiteral("t%1").arg(i)), SchemaVersion(1)});
    return made;
}

int total(const std::vector<store::LaneAsk> &asks)
{
    return std::accumulate(asks.begin(), asks.end(), 0,
                           [](int sum, const store::LaneAsk &ask) { return sum + ask.most; });
}

std::vector<store::ClaimedRecord> records(LaneId lane, int count, qint64 micros = 1)
{
    std::vector<store::ClaimedRecord> made(static_cast<std::size_t>(count));
    for (auto &record : made) {
        record.lane = lane;
        record.nextAttemptAt = Timestamp{std::chrono::microseconds{micros}};
    }
    return made;
}

} // namespace

class LaneBookTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksForNoMoreThanThereIsRoom();
    void asksNothingOfAFullDestination();
    void reachesEveryLaneHoweverLittleRoom();
    void asksWhatWasLeftOutNext();
    void givesTheBusyLaneMostOfTheBatch();
    void aLaneThatFillsIsAskedForMore();
    void keepsTheMarkOfALaneThatStays();
};

void LaneBookTest::asksForNoMoreThanThereIsRoom()
{
    LaneBook book;
    book.setLanes(lanes(20));
    QVERIFY(total(book.asks({{QStringLiteral("sink"), 37}}, 500)) <= 37);
    QVERIFY(total(book.asks({{QStringLiteral("sink"), 5000}}, 500)) <= 500);
}

void LaneBookTest::asksNothingOfAFullDestination()
{
    LaneBook book;
    book.setLanes(lanes(3));
    QVERIFY(book.asks({{QStringLiteral("sink"), 0}}, 500).empty());
    QVERIFY(book.asks({}, 500).empty());
}

void LaneBookTest::reachesEveryLaneHoweverLittleRoom()
{
    LaneBook book;
    book.setLanes(lanes(7));
    std::set<std::int32_t> reached;
    for (int round = 0; round < 7; ++round)
        for (const auto &ask : book.asks({{QStringLiteral("sink"), 1}}, 500))
            reached.insert(ask.lane.value());
    QCOMPARE(reached.size(), std::size_t{7});
}

void LaneBookTest::asksWhatWasLeftOutNext()
{
    LaneBook book;
    book.setLanes(lanes(200));
    const QHash<QString, int> free{{QStringLiteral("sink"), 64}};
    QCOMPARE(book.open(free), std::size_t{200});
    std::set<std::int32_t> reached;
    std::size_t asked = 0;
    while (asked < 200) {
        const auto asks = book.asks(free, 500);
        QVERIFY(!asks.empty());
        asked += asks.size();
        for (const auto &ask : asks)
            reached.insert(ask.lane.value());
    }
    QCOMPARE(reached.size(), std::size_t{200});
}

void LaneBookTest::givesTheBusyLaneMostOfTheBatch()
{
    LaneBook book;
    book.setLanes(lanes(20));
    const QHash<QString, int> free{{QStringLiteral("sink"), 5000}};
    std::vector<store::LaneAsk> asks;
    for (int round = 0; round < 3; ++round) {
        asks = book.asks(free, 500);
        const auto busy = std::find_if(asks.begin(), asks.end(), [](const auto &ask) { return ask.lane == LaneId(1); });
        QVERIFY(busy != asks.end());
        book.learn(asks, records(LaneId(1), busy->most));
    }
    asks = book.asks(free, 500);
    const auto busy = std::find_if(asks.begin(), asks.end(), [](const auto &ask) { return ask.lane == LaneId(1); });
    QVERIFY(busy->most > 400);
    QCOMPARE(asks.size(), std::size_t{20});
}

void LaneBookTest::aLaneThatFillsIsAskedForMore()
{
    LaneBook book;
    book.setLanes(lanes(1));
    const QHash<QString, int> free{{QStringLiteral("sink"), 5000}};
    book.learn(book.asks(free, 500), {});
    const int little = total(book.asks(free, 500));
    QVERIFY(little < 10);
    for (int round = 0; round < 6; ++round) {
        const auto asks = book.asks(free, 500);
        book.learn(asks, records(LaneId(1), total(asks)));
    }
    QCOMPARE(total(book.asks(free, 500)), 500);
}

void LaneBookTest::keepsTheMarkOfALaneThatStays()
{
    LaneBook book;
    book.setLanes(lanes(2));
    book.learn({{LaneId(1), 5, {}}}, records(LaneId(1), 5, 42));
    book.setLanes(lanes(3));
    QVERIFY(book.hasMarks());
    for (const auto &ask : book.asks({{QStringLiteral("sink"), 100}}, 500))
        QCOMPARE(ask.mark.has_value(), ask.lane == LaneId(1));
    book.forgetMarks();
    QVERIFY(!book.hasMarks());
}

QTEST_GUILESS_MAIN(LaneBookTest)
#include "lane_book_test.moc"
