// SPDX-License-Identifier: Apache-2.0
#include "contract/amqp_queue.h"
#include "contract/suite.h"
#include "support/test_certificate.h"

#include <QtTest>

using namespace outbox;
using namespace outbox::contract;
using destination::AmqpConfig;
using destination::AmqpDestination;
using destination::RoutingKey;
using test::TcpProxy;

namespace {

constexpr int generous = 30000;

/// A method of the class "connection" as it goes over the wire: frame type, channel 0, size, class, method,
/// arguments, end of frame.
QByteArray connectionMethod(quint16 method, const QByteArray &arguments)
{
    QByteArray frame;
    QDataStream stream(&frame, QIODevice::WriteOnly);
    stream << quint8{1} << quint16{0} << static_cast<quint32>(arguments.size() + 4) << quint16{10} << method;
    stream.writeRawData(arguments.constData(), static_cast<int>(arguments.size()));
    stream << quint8{0xCE};
    return frame;
}

QByteArray shortText(const QByteArray &text) { return static_cast<char>(text.size()) + text; }

} // namespace

class AmqpTest : public Suite {
    Q_OBJECT
protected:
    std::unique_ptr<Target> makeTarget() override { return std::make_unique<Queue>(); }
    Queue &queue() { return static_cast<Queue &>(*target_); }
    /// In place of the suite's destination; waits for its connection.
    AmqpDestination &use(const AmqpConfig &config);

private Q_SLOTS:
    void sendsPropertiesAndCloudEvents();
    void returnedIsUndeliverable();                    // S13
    void aMissingExchangeIsUnreachable();              // S13
    void aMissingExchangeCostsOneAttemptAConnection(); // S13
    void aForbiddenExchangeIsUnreachable();            // S13
    void whatAmqpCannotCarryIsRejected();              // S13
    void waitsPatientlyForTheConnection();
    void saysNotTriedWhenPatienceEnds();
    void wrongPasswordIsNotTried();
    void aBlockedBrokerGetsNothingNew();
    void aBrokerThatGoesDownIsUnreachable();
    void deadPeerIsNoticed();
    void aFullWireBlocksNobody();
    void reconnectsAfterManyCuts(); // S11
    void verifiesTheCertificate();
    void stopsWhileConnecting();
};

AmqpDestination &AmqpTest::use(const AmqpConfig &config)
{
    auto made = std::make_unique<AmqpDestination>(config, *outcomes_, Random(1));
    auto &reference = *made;
    replace(std::move(made));
    QSignalSpy changed(&reference, &AmqpDestination::connectionChanged);
    destination_->start();
    if (!QTest::qWaitFor([&] { return changed.size() > 0; }, generous))
        qWarning("no connection");
    return reference;
}

void AmqpTest::sendsPropertiesAndCloudEvents()
{
    Message sent = message(1);
    sent.tenant = QStringLiteral("Zoë & \"co\" 100%");
    sent.headers = {{QStringLiteral("X-Trace-Id"), QStringLiteral("abc")},
                    {QStringLiteral("id"), QStringLiteral("other")},
                    {QStringLiteral("traceparent"), QString::fromUtf8(traceParent)}};
    const auto ticket = deliver(sent);
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->isAccepted(ticket), generous);
    const auto items = queue().broker.takeAll(queue().name);
    QCOMPARE(items.size(), std::size_t{1});
    auto item = items.front();
    const auto id = sent.id.value().toByteArray(QUuid::WithoutBraces);
    QVERIFY(item.allProperties);
    QCOMPARE(item.messageId, id);
    QCOMPARE(item.type, QByteArray("contract.example"));
    QCOMPARE(item.contentType, QByteArray("application/json"));
    QCOMPARE(item.deliveryMode, 2);
    QCOMPARE(item.timestamp, std::uint64_t{1'772'352'930});
    const std::map<QByteArray, QByteArray> wanted{
        {"cloudEvents:specversion", "1.0"},
        {"cloudEvents:id", id},
        {"cloudEvents:source", "/outbox"},
        {"cloudEvents:type", "contract.example"},
        {"cloudEvents:time", "2026-03-01T08:15:30.000250Z"},
        {"cloudEvents:schemaversion", "2"},
        {"cloudEvents:messagekind", "integration_event"},
        {"cloudEvents:eventrecord", "event-1"},
        {"cloudEvents:tenantid", "Zo\xc3\xab & \"co\" 100%"},
        {"cloudEvents:xtraceid", "abc"},
        {"cloudEvents:headerid", "other"},
        {"cloudEvents:traceparent", traceParent},
        {"traceparent", traceParent},
    };
    QVERIFY(item.headers == wanted);
}

// Mandatory and no queue; what does have one is not touched by it.
void AmqpTest::returnedIsUndeliverable()
{
    auto config = configFor(queue().broker.port(), QStringLiteral("{tenant}"));
    use(config);
    Message lost = message(1);
    lost.tenant = QStringLiteral("no-such-queue");
    lost.payload = QByteArray("[\"") + QByteArray(300'000, 'x') + "\"]"; // comes back in several frames
    Message found = message(2);
    found.tenant = QString::fromUtf8(queue().name);
    const auto first = deliver(lost);
    const auto second = deliver(found);
    const auto third = deliver(lost);
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), 3, generous);
    for (const auto ticket : {first, third})
        QCOMPARE(outcomes_->text(ticket),
                 QStringLiteral("undeliverable: the broker has no queue for it: 312 NO_ROUTE"));
    QVERIFY(outcomes_->isAccepted(second));
}

// What is wrong is the exchange, so no message is given up for it.
void AmqpTest::aMissingExchangeIsUnreachable()
{
    auto config = configFor(queue().broker.port(), QStringLiteral("{type}"));
    config.exchange = QStringLiteral("no-such-exchange");
    use(config);
    const auto ticket = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QVERIFY2(outcomes_->text(ticket).startsWith(QStringLiteral(
                 "unreachable: the broker closed the channel: 404 NOT_FOUND - no exchange 'no-such-exchange'")),
             qPrintable(outcomes_->text(ticket)));
}

// The backlog waits, and goes out when somebody has put the exchange right.
void AmqpTest::aMissingExchangeCostsOneAttemptAConnection()
{
    const QByteArray exchange = queue().name + "-exchange";
    auto config = configFor(queue().broker.port(), QStringLiteral("{type}"));
    config.exchange = QString::fromUtf8(exchange);
    int connections = 1;
    connect(&use(config), &AmqpDestination::connectionChanged, this, [&](bool up) { connections += up ? 1 : 0; });
    std::vector<std::uint64_t> tickets{deliver(message(0))};
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(tickets.front()), generous);
    for (int i = 1; i <= 40; ++i)
        tickets.push_back(deliver(message(i)));
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), 41, generous);
    int failed = 0;
    for (const auto ticket : tickets) {
        const auto *failure = outcomes_->failureOf(ticket);
        QVERIFY2(failure ? !isPermanent(failure->cause) : outcomes_->isNotTried(ticket),
                 qPrintable(outcomes_->text(ticket)));
        failed += failure ? 1 : 0;
    }
    QVERIFY2(failed > 1 && failed <= connections,
             qPrintable(QStringLiteral("%1 attempts in %2 connections").arg(failed).arg(connections)));

    queue().broker.makeExchange(exchange, queue().name);
    auto probe = deliver(message(50));
    const auto accepted = [&] {
        if (outcomes_->of(probe) && !outcomes_->isAccepted(probe))
            probe = deliver(message(50));
        return outcomes_->isAccepted(probe);
    };
    QTRY_VERIFY_WITH_TIMEOUT(accepted(), generous);
    const int before = outcomes_->accepted();
    for (int i = 51; i <= 90; ++i)
        (void)deliver(message(i));
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->accepted(), before + 40, generous);
    queue().broker.deleteExchange(exchange);
}

void AmqpTest::aForbiddenExchangeIsUnreachable()
{
    auto config = configFor(queue().broker.port(), QStringLiteral("{type}"));
    config.exchange = QStringLiteral("amq.rabbitmq.trace"); // internal: nobody may publish to it
    use(config);
    const auto ticket = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QVERIFY2(outcomes_->text(ticket).startsWith(QStringLiteral("unreachable: the broker closed the channel: 403")),
             qPrintable(outcomes_->text(ticket)));
}

// Refused here, without harm to the connection and to the neighbours in flight.
void AmqpTest::whatAmqpCannotCarryIsRejected()
{
    auto &amqp = use(configFor(queue().broker.port(), QString::fromUtf8(queue().name)));
    QSignalSpy changed(&amqp, &AmqpDestination::connectionChanged);
    Message longType = message(1);
    longType.type = MessageType(QString(256, u'x'));
    Message longHeader = message(2);
    longHeader.headers = {{QStringLiteral("big"), QString(200'000, u'x')}};
    Message longName = message(3);
    longName.headers = {{QString(250, u'x'), QStringLiteral("small")}};
    std::vector<std::uint64_t> refused;
    for (const auto &each : {longType, longHeader, longName})
        refused.push_back(deliver(each));
    const auto fine = deliver(message(4));
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), 4, generous);
    for (const auto ticket : refused)
        QVERIFY2(outcomes_->text(ticket).startsWith(QStringLiteral("rejected: ")), qPrintable(outcomes_->text(ticket)));
    QVERIFY2(outcomes_->isAccepted(fine), qPrintable(outcomes_->text(fine)));
    QCOMPARE(changed.size(), 0);
}

void AmqpTest::waitsPatientlyForTheConnection()
{
    queue().wire.goAway();
    auto config = configFor(queue().wire.port(), QString::fromUtf8(queue().name));
    config.patience = seconds{60};
    replace(std::make_unique<AmqpDestination>(config, *outcomes_, Random(1)));
    destination_->start();
    const auto ticket = deliver(message(1));
    queue().wire.comeBack();
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QVERIFY2(outcomes_->isAccepted(ticket), qPrintable(outcomes_->text(ticket)));
}

void AmqpTest::saysNotTriedWhenPatienceEnds()
{
    queue().wire.goAway();
    QTRY_VERIFY_WITH_TIMEOUT(!queue().isReady(), generous);
    const auto ticket = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QCOMPARE(outcomes_->text(ticket), QStringLiteral("not tried: the broker is not connected"));
    queue().wire.comeBack();
}

void AmqpTest::wrongPasswordIsNotTried()
{
    auto config = configFor(queue().broker.port(), QString::fromUtf8(queue().name));
    config.password = destination::Secret(QStringLiteral("wrong"));
    replace(std::make_unique<AmqpDestination>(config, *outcomes_, Random(1)));
    destination_->start();
    const auto ticket = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QVERIFY2(outcomes_->isNotTried(ticket), qPrintable(outcomes_->text(ticket)));
}

// connection.blocked, as an alarm for memory or disk makes the broker say it: no attempt is used up.
void AmqpTest::aBlockedBrokerGetsNothingNew()
{
    queue().wire.sayToClients(connectionMethod(60, shortText("low on memory")));
    auto ticket = deliver(message(1));
    // The word is on its way: what went out before it came is confirmed.
    const auto refused = [&] {
        if (outcomes_->isAccepted(ticket))
            ticket = deliver(message(2));
        return outcomes_->isNotTried(ticket);
    };
    QTRY_VERIFY_WITH_TIMEOUT(refused(), generous);
    QCOMPARE(outcomes_->text(ticket), QStringLiteral("not tried: the broker takes no messages for now"));
    const auto delivered = queue().held();
    queue().wire.sayToClients(connectionMethod(61, {}));
    const auto accepted = [&] {
        if (outcomes_->of(ticket) && !outcomes_->isAccepted(ticket))
            ticket = deliver(message(3));
        return outcomes_->isAccepted(ticket);
    };
    QTRY_VERIFY_WITH_TIMEOUT(accepted(), generous);
    QCOMPARE(queue().held(), delivered + 1);
}

// connection.close with 320, as a broker says it that is being shut down.
void AmqpTest::aBrokerThatGoesDownIsUnreachable()
{
    target_->become(Mood::hold);
    const auto ticket = deliver(message(1));
    QTRY_COMPARE_WITH_TIMEOUT(target_->held(), 1, generous);
    const QByteArray code("\x01\x40", 2);
    const QByteArray classAndMethod(4, '\0');
    queue().wire.sayToClients(connectionMethod(50, code + shortText("CONNECTION_FORCED - shutdown") + classAndMethod));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QCOMPARE(outcomes_->text(ticket),
             QStringLiteral("unreachable: the broker closed the channel: 320 CONNECTION_FORCED - shutdown"));
    target_->letGo();
    const auto next = deliver(message(2));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->isAccepted(next), generous);
}

// A peer that neither answers nor hangs up: the heartbeat finds out, long before the deadline.
void AmqpTest::deadPeerIsNoticed()
{
    auto config = configFor(queue().wire.port(), QString::fromUtf8(queue().name));
    config.heartbeat = seconds{1};
    auto &amqp = use(config);
    QSignalSpy changed(&amqp, &AmqpDestination::connectionChanged);
    queue().wire.stallAnswers();
    const auto ticket = deliver(message(1), std::chrono::minutes{10});
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    const auto *failure = outcomes_->failureOf(ticket);
    QVERIFY2(failure && failure->cause == FailureCause::unreachable, qPrintable(outcomes_->text(ticket)));
    queue().wire.mend();
    QTRY_VERIFY_WITH_TIMEOUT(changed.size() >= 2 && changed.last().first().toBool(), generous);
    const auto next = deliver(message(2));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->isAccepted(next), generous);
}

// The broker reads no more: what does not fit in the socket waits here, is settled when its time is over,
// and the thread is free all the while (this test's own event loop runs in it).
void AmqpTest::aFullWireBlocksNobody()
{
    auto config = configFor(queue().wire.port(), QString::fromUtf8(queue().name));
    config.concurrency = 1000;
    config.heartbeat = seconds{60};
    use(config);
    queue().wire.stallRequests();
    std::vector<std::uint64_t> tickets;
    Message big = message(1);
    big.payload = QByteArray("[\"") + QByteArray(20'000, 'x') + "\"]";
    for (int i = 0; i < 1000; ++i) {
        big.id = MessageId(QUuid::createUuid());
        tickets.push_back(deliver(big, seconds{3}));
    }
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), 1000, generous);
    int untried = 0;
    for (const auto ticket : tickets)
        untried += outcomes_->isNotTried(ticket) ? 1 : 0;
    QVERIFY2(untried > 0 && untried < 1000, qPrintable(QString::number(untried)));
    queue().wire.mend();
    auto next = deliver(message(2));
    const auto accepted = [&] {
        if (outcomes_->of(next) && !outcomes_->isAccepted(next))
            next = deliver(message(2));
        return outcomes_->isAccepted(next);
    };
    QTRY_VERIFY_WITH_TIMEOUT(accepted(), generous);
}

// Whatever breaks, what was accepted is in the queue.
void AmqpTest::reconnectsAfterManyCuts()
{
    std::uint64_t settled = 0;
    std::vector<std::uint64_t> tickets;
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 40; ++i)
            tickets.push_back(deliver(message(i)));
        QTRY_VERIFY_WITH_TIMEOUT(static_cast<std::uint64_t>(outcomes_->count()) > settled, generous);
        queue().wire.cut();
        QTRY_COMPARE_WITH_TIMEOUT(static_cast<std::size_t>(outcomes_->count()), tickets.size(), generous);
        settled = tickets.size();
    }
    QVERIFY(outcomes_->accepted() > 0);
    QVERIFY(queue().held() >= outcomes_->accepted());
}

void AmqpTest::verifiesTheCertificate()
{
    const test::TestCertificate certificate;
    TcpProxy secure(queue().broker.port(), certificate.server());
    auto config = configFor(secure.port(), QString::fromUtf8(queue().name));
    config.address.tls = true;
    config.address.host = QStringLiteral("localhost");
    replace(std::make_unique<AmqpDestination>(config, *outcomes_, Random(1)));
    destination_->start();
    const auto untrusted = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(untrusted), generous);
    QVERIFY2(outcomes_->isNotTried(untrusted), qPrintable(outcomes_->text(untrusted)));
    config.caFile = certificate.file();
    use(config);
    const auto first = deliverMany(30);
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->accepted(), 30, generous);
    QVERIFY(outcomes_->isAccepted(first));
}

void AmqpTest::stopsWhileConnecting()
{
    queue().wire.stallAnswers();
    auto config = configFor(queue().wire.port(), QString::fromUtf8(queue().name));
    config.connectTimeout = milliseconds{500};
    replace(std::make_unique<AmqpDestination>(config, *outcomes_, Random(1)));
    QSignalSpy stopped(destination_.get(), &Service::stopped);
    destination_->start();
    const auto ticket = deliver(message(1));
    destination_->stop();
    QVERIFY2(outcomes_->isNotTried(ticket), qPrintable(outcomes_->text(ticket)));
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, generous);
}

QTEST_GUILESS_MAIN(AmqpTest)
#include "amqp_test.moc"
