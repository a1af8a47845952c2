// SPDX-License-Identifier: Apache-2.0
#include "contract/suite.h"

#include <QtTest>

#include <set>

namespace outbox::contract {

using delivery::Delivery;
using delivery::Ticket;

namespace {

constexpr int generous = 30000; // milliseconds until a wait has failed
constexpr milliseconds brief{400};

} // namespace

Message message(int number)
{
    Message made;
    made.id = MessageId(QUuid::createUuid());
    made.kind = IntegrationEvent{QStringLiteral("event-%1").arg(number)};
    made.type = MessageType(QStringLiteral("contract.example"));
    made.version = SchemaVersion(2);
    made.occurredAt = Timestamp{std::chrono::microseconds{1'772'352'930'000'250}};
    made.tenant = QStringLiteral("tenant-7");
    made.payload = QByteArray("{\"number\": ") + QByteArray::number(number) + "}";
    return made;
}

std::uint64_t Suite::deliver(Message message, milliseconds limit)
{
    const auto ticket = nextTicket_++;
    std::vector<Delivery> one;
    one.push_back({Ticket(ticket), std::move(message), 1, Deadline::in(limit, SteadyClock())});
    destination_->deliver(std::move(one));
    return ticket;
}

std::uint64_t Suite::deliverMany(int count, milliseconds limit)
{
    const auto first = nextTicket_;
    std::vector<Delivery> many;
    for (int i = 0; i < count; ++i) {
        const auto ticket = nextTicket_++;
        many.push_back({Ticket(ticket), message(static_cast<int>(ticket)), 1, Deadline::in(limit, SteadyClock())});
    }
    destination_->deliver(std::move(many));
    return first;
}

void Suite::init()
{
    target_ = makeTarget();
    QVERIFY(target_);
    outcomes_ = std::make_unique<Outcomes>();
    destination_ = target_->make(*outcomes_);
    destination_->start();
    QTRY_VERIFY_WITH_TIMEOUT(target_->isReady(), generous);
}

void Suite::replace(std::unique_ptr<delivery::Destination> destination)
{
    QSignalSpy stopped(destination_.get(), &Service::stopped);
    destination_->stop();
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, generous);
    destination_ = std::move(destination);
}

void Suite::cleanup()
{
    if (destination_) {
        if (destination_->isRunning()) {
            QSignalSpy stopped(destination_.get(), &Service::stopped);
            target_->letGo();
            destination_->stop();
            QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, generous);
        }
        // Whatever a test did: each ticket was settled exactly once, and told.
        QCOMPARE(outcomes_->count(), static_cast<int>(nextTicket_ - 1));
        QCOMPARE(outcomes_->doubled(), 0);
        QTRY_COMPARE(outcomes_->unflushed(), 0);
    }
    destination_.reset();
    outcomes_.reset();
    target_.reset();
    nextTicket_ = 1;
}

void Suite::accepts()
{
    const auto first = deliverMany(20);
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), 20, generous);
    for (auto ticket = first; ticket < first + 20; ++ticket)
        QVERIFY2(outcomes_->isAccepted(ticket), qPrintable(outcomes_->text(ticket)));
    QCOMPARE(target_->take().size(), std::size_t{20});
}

void Suite::idAndTypeTravel()
{
    const Message sent = message(1);
    const auto first = deliver(sent);
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(first), generous);
    const auto second = deliver(sent); // again, as after a failure
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(second), generous);
    QVERIFY2(outcomes_->isAccepted(second), qPrintable(outcomes_->text(second)));
    const auto received = target_->take();
    QCOMPARE(received.size(), std::size_t{target_->dropsRepeats() ? 1U : 2U});
    for (const auto &each : received) {
        QCOMPARE(each.id, toText(sent.id));
        QCOMPARE(each.type, QStringLiteral("contract.example"));
    }
}

void Suite::payloadTravelsUnchanged_data()
{
    QTest::addColumn<QByteArray>("payload");
    QTest::newRow("empty object") << QByteArray("{}");
    QTest::newRow("spaces and key order") << QByteArray("{ \"b\" : 1,\n\t\"a\":2.50 , \"b\": 1e3 }  ");
    QTest::newRow("unicode") << QByteArray(
        "{\"name\":\"Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x93\xa6 \xe6\x9d\xb1\xe4\xba\xac\"}");
    QTest::newRow("escapes") << QByteArray("{\"nul\":\"\\u0000\",\"quote\":\"\\\"\",\"slash\":\"\\/\"}");
    QTest::newRow("bare number") << QByteArray("0");
    QTest::newRow("large") << QByteArray("[\"") + QByteArray(700'000, 'x') + "\"]";
}

void Suite::payloadTravelsUnchanged()
{
    QFETCH(const QByteArray, payload);
    Message sent = message(1);
    sent.payload = payload;
    const auto ticket = deliver(sent);
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QVERIFY2(outcomes_->isAccepted(ticket), qPrintable(outcomes_->text(ticket)));
    const auto received = target_->take();
    QCOMPARE(received.size(), std::size_t{1});
    QVERIFY(received.front().payload == payload);
}

void Suite::rejectionIsPermanent()
{
    target_->become(Mood::reject);
    const auto ticket = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    const auto *failure = outcomes_->failureOf(ticket);
    QVERIFY2(failure, qPrintable(outcomes_->text(ticket)));
    QVERIFY(isPermanent(failure->cause));
    QVERIFY(!failure->summary.isEmpty());
    QVERIFY(!failure->summary.contains(QStringLiteral("number"))); // no payload in it
}

void Suite::busyIsTransient()
{
    target_->become(Mood::busy);
    const auto ticket = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    const auto *failure = outcomes_->failureOf(ticket);
    QVERIFY2(failure && failure->cause == FailureCause::busy, qPrintable(outcomes_->text(ticket)));
    target_->become(Mood::accept);
    const auto again = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(again), generous);
    QVERIFY2(outcomes_->isAccepted(again), qPrintable(outcomes_->text(again)));
}

void Suite::recoversByItself()
{
    target_->become(Mood::unreachable);
    const auto during = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(during), generous);
    const auto *failure = outcomes_->failureOf(during);
    QVERIFY2(outcomes_->isNotTried(during) || (failure && failure->cause == FailureCause::unreachable),
             qPrintable(outcomes_->text(during)));
    target_->become(Mood::accept);
    // Somebody tries again and again; nobody touches the destination itself.
    auto ticket = deliver(message(2));
    const auto accepted = [&] {
        if (outcomes_->of(ticket) && !outcomes_->isAccepted(ticket))
            ticket = deliver(message(2));
        return outcomes_->isAccepted(ticket);
    };
    QTRY_VERIFY_WITH_TIMEOUT(accepted(), generous);
}

void Suite::deadlineIsRespected()
{
    target_->become(Mood::hold);
    const auto ticket = deliver(message(1), brief);
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    const auto *failure = outcomes_->failureOf(ticket);
    QVERIFY2(failure && failure->cause == FailureCause::timeout, qPrintable(outcomes_->text(ticket)));
    target_->letGo(); // the late answer changes nothing: cleanup counts
    const auto next = deliver(message(2));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(next), generous);
    QVERIFY2(outcomes_->isAccepted(next), qPrintable(outcomes_->text(next)));
}

void Suite::passedDeadlineIsNotSent()
{
    const auto late = deliver(message(1), milliseconds{0});
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(late), generous);
    QVERIFY2(outcomes_->isNotTried(late), qPrintable(outcomes_->text(late)));
    const auto next = deliver(message(2));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->isAccepted(next), generous);
    QCOMPARE(target_->take().size(), std::size_t{1});
}

void Suite::usesItsConcurrency()
{
    target_->become(Mood::hold);
    const int most = destination_->concurrency();
    QVERIFY(most > 6); // more than Qt opens to one host by itself
    deliverMany(most);
    QTRY_VERIFY_WITH_TIMEOUT(target_->held() >= target_->certainlyHeld(most), generous);
    QVERIFY(target_->held() <= most);
    QCOMPARE(outcomes_->count(), 0);
    target_->letGo();
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->accepted(), most, generous);
}

void Suite::manyInFlight()
{
    constexpr int all = 2000;
    const auto topUp = [&] {
        const int inFlight = static_cast<int>(nextTicket_ - 1) - outcomes_->count();
        const int left = all - static_cast<int>(nextTicket_ - 1);
        if (const int more = std::min(left, destination_->concurrency() - inFlight); more > 0)
            deliverMany(more);
        return outcomes_->count() == all;
    };
    QTRY_VERIFY_WITH_TIMEOUT(topUp(), generous * 2);
    QCOMPARE(outcomes_->accepted(), all);
    std::set<QString> ids;
    for (const auto &each : target_->take())
        ids.insert(each.id);
    QCOMPARE(ids.size(), std::size_t{all});
}

void Suite::connectionLostInMidFlight()
{
    target_->become(Mood::hold);
    const auto first = deliverMany(5);
    QTRY_COMPARE_WITH_TIMEOUT(target_->held(), 5, generous);
    target_->cut();
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), 5, generous);
    for (auto ticket = first; ticket < first + 5; ++ticket) {
        const auto *failure = outcomes_->failureOf(ticket);
        QVERIFY2(failure && failure->cause == FailureCause::unreachable, qPrintable(outcomes_->text(ticket)));
    }
    target_->letGo();
    const auto next = deliver(message(6));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(next), generous);
    QVERIFY2(outcomes_->isAccepted(next), qPrintable(outcomes_->text(next)));
}

void Suite::stopWaitsForWhatIsInFlight()
{
    target_->become(Mood::hold);
    const auto first = deliverMany(5);
    QTRY_COMPARE_WITH_TIMEOUT(target_->held(), 5, generous);
    int settledAtStopped = -1;
    connect(destination_.get(), &Service::stopped, this, [&] { settledAtStopped = outcomes_->count(); });
    destination_->stop();
    const auto refused = deliver(message(6));
    QVERIFY2(outcomes_->isNotTried(refused), qPrintable(outcomes_->text(refused)));
    QCOMPARE(settledAtStopped, -1);
    target_->letGo();
    QTRY_COMPARE_WITH_TIMEOUT(settledAtStopped, 6, generous);
    for (auto ticket = first; ticket < first + 5; ++ticket)
        QVERIFY2(outcomes_->isAccepted(ticket), qPrintable(outcomes_->text(ticket)));
}

void Suite::stopEndsWithTheDeadlines()
{
    target_->become(Mood::hold);
    const auto first = deliverMany(5, seconds{1});
    QTRY_COMPARE_WITH_TIMEOUT(target_->held() + outcomes_->count(), 5, generous);
    QSignalSpy stopped(destination_.get(), &Service::stopped);
    destination_->stop();
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, generous);
    for (auto ticket = first; ticket < first + 5; ++ticket) {
        const auto *failure = outcomes_->failureOf(ticket);
        QVERIFY2(failure && failure->cause == FailureCause::timeout, qPrintable(outcomes_->text(ticket)));
    }
}

void Suite::takesNothingWhileStopped()
{
    QSignalSpy stopped(destination_.get(), &Service::stopped);
    destination_->stop();
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, generous);
    destination_->stop(); // twice is legal
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 2, generous);
    const auto ticket = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QVERIFY2(outcomes_->isNotTried(ticket), qPrintable(outcomes_->text(ticket)));
    QCOMPARE(target_->take().size(), std::size_t{0});
}

void Suite::startsAgain()
{
    QSignalSpy stopped(destination_.get(), &Service::stopped);
    destination_->stop();
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, generous);
    destination_->start();
    const auto ticket = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QVERIFY2(outcomes_->isAccepted(ticket), qPrintable(outcomes_->text(ticket)));
}

} // namespace outbox::contract
