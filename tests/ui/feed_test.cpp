// SPDX-License-Identifier: Apache-2.0
#include "feed/feed.h"
#include "scripted_data.h"

#include <QSignalSpy>
#include <QTest>

using namespace outbox;
using namespace outbox::test;
using namespace outbox::ui;

/// How the window asks.
class FeedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // D1
    void onlyTheNewestAnswerCounts()
    {
        ScriptedPort port;
        port.hold = true;
        Feed feed(port);
        feed.setPaused(true);
        QSignalSpy changed(&feed, &Feed::overviewChanged);
        port.overviewAnswer = overviewOf(1);
        feed.refresh();
        port.overviewAnswer = overviewOf(2);
        feed.refresh();
        QCOMPARE(port.held.size(), std::size_t{2});
        port.letGo(1);
        QCOMPARE(feed.overview().value->pending.value, 2);
        port.letGo(0); // late: the answer to the first
        QCOMPARE(feed.overview().value->pending.value, 2);
        QCOMPARE(changed.count(), 1);
    }

    void anAnswerToWhoIsGoneIsDropped()
    {
        ScriptedPort port;
        port.hold = true;
        auto feed = std::make_unique<Feed>(port);
        feed->refresh();
        feed.reset();
        port.letGo();
        QVERIFY(port.held.empty());
    }

    void aFailureKeepsTheOldNumbersAndTheirAge()
    {
        ScriptedPort port;
        Feed feed(port);
        feed.setPaused(true);
        QSignalSpy changed(&feed, &Feed::overviewChanged);
        port.overviewAnswer = overviewOf(7);
        feed.refresh();
        QVERIFY(changed.wait());
        const QDateTime received = feed.overview().receivedAt;
        port.overviewAnswer = api::OperationError{api::OperationError::Kind::timeout, QStringLiteral("too slow")};
        feed.refresh();
        QVERIFY(changed.wait());
        QCOMPARE(feed.overview().value->pending.value, 7);
        QCOMPARE(feed.overview().receivedAt, received);
        QCOMPARE(feed.overview().error->text, QStringLiteral("too slow"));
        QCOMPARE(feed.backlog().size(), 1);
    }

    // D1
    void aSlowStoreIsNotAskedFasterThanItAnswers()
    {
        ScriptedPort port;
        port.hold = true;
        Feed feed(port);
        QSignalSpy ticked(&feed, &Feed::ticked);
        feed.setInterval(milliseconds{5});
        QTRY_VERIFY(ticked.count() >= 5);
        QCOMPARE(port.overviewsAsked, 1);
        port.letGo();
        QTRY_COMPARE(port.overviewsAsked, 2);
    }

    // D1: a store that was only starting is asked again at once
    void waitingForAnAnswerIsNoCost()
    {
        ScriptedPort port;
        port.hold = true;
        Feed feed(port);
        QSignalSpy ticked(&feed, &Feed::ticked);
        feed.setInterval(milliseconds{5});
        QTRY_VERIFY(ticked.count() >= 60);
        QCOMPARE(port.overviewsAsked, 1);
        const auto before = ticked.count();
        port.letGo();
        QTRY_COMPARE(port.overviewsAsked, 2);
        QVERIFY2(ticked.count() - before <= 20, qPrintable(QString::number(ticked.count() - before)));
    }

    // D1
    void aCostlyAnswerIsNotAskedForAgainSoon()
    {
        ScriptedPort port;
        port.cost = std::chrono::hours(1);
        Feed feed(port);
        QSignalSpy ticked(&feed, &Feed::ticked);
        QSignalSpy changed(&feed, &Feed::overviewChanged);
        feed.setInterval(milliseconds{5});
        QTRY_COMPARE(changed.count(), 1);
        QTRY_VERIFY(ticked.count() >= 40);
        QCOMPARE(port.overviewsAsked, 1);
    }

    void pausedAsksNothingUntilResumed()
    {
        ScriptedPort port;
        Feed feed(port);
        feed.setInterval(milliseconds{5});
        QTRY_VERIFY(port.overviewsAsked >= 2);
        feed.setPaused(true);
        const int asked = port.overviewsAsked;
        // Another feed shows that time passes.
        ScriptedPort other;
        Feed running(other);
        running.setInterval(milliseconds{5});
        QTRY_VERIFY(other.overviewsAsked >= 5);
        QCOMPARE(port.overviewsAsked, asked);
        feed.setPaused(false);
        QTRY_VERIFY(port.overviewsAsked > asked);
    }

    void unwatchedItAsksSeldom()
    {
        ScriptedPort port;
        Feed feed(port);
        feed.setInterval(milliseconds{5});
        feed.setWatched(false);
        const int asked = port.overviewsAsked;
        ScriptedPort other;
        Feed running(other);
        running.setInterval(milliseconds{5});
        QTRY_VERIFY(other.overviewsAsked >= 5);
        QCOMPARE(port.overviewsAsked, asked);
        feed.setWatched(true);
        QCOMPARE(port.overviewsAsked, asked + 1);
    }

    // D2
    void theBacklogKeepsItsHistoryAndKnowsItsSlope()
    {
        ScriptedPort port;
        Feed feed(port);
        feed.setPaused(true);
        QSignalSpy changed(&feed, &Feed::overviewChanged);
        const Timestamp begin = nowForTests() - std::chrono::minutes{1};
        for (int i = 0; i <= 20; ++i) {
            auto overview = overviewOf(1000 - 85 * i);
            overview.at = begin + seconds{i};
            port.overviewAnswer = overview;
            feed.refresh();
            QVERIFY(changed.wait());
        }
        QCOMPARE(feed.backlog().size(), 21);
        QCOMPARE(feed.backlog().constFirst().pending, 1000);
        QVERIFY(feed.growth());
        QCOMPARE(qRound(*feed.growth()), -85);
        // A clock set back does not make the chart run backwards.
        auto back = overviewOf(5);
        back.at = begin + seconds{10};
        port.overviewAnswer = back;
        feed.refresh();
        QVERIFY(changed.wait());
        for (qsizetype i = 1; i < feed.backlog().size(); ++i)
            QVERIFY(feed.backlog()[i - 1].at < feed.backlog()[i].at);
    }

private:
    static api::Overview overviewOf(std::int64_t pending)
    {
        api::Overview overview;
        overview.at = nowForTests();
        overview.pending = {pending, true};
        return overview;
    }
};

QTEST_GUILESS_MAIN(FeedTest)

#include "feed_test.moc"
