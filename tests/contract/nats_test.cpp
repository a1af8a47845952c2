// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "contract/jet_stream.h"
#include "contract/suite.h"
#include "support/test_certificate.h"

#include <QtTest>

using namespace outbox;
using namespace outbox::contract;
using destination::NatsConfig;
using destination::NatsDestination;

namespace {

constexpr int generous = 30000;

} // namespace

class NatsTest : public Suite {
    Q_OBJECT
protected:
    std::unique_ptr<Target> makeTarget() override { return std::make_unique<Stream>(); }
    Stream &stream() { return static_cast<Stream &>(*target_); }
    NatsConfig direct() { return natsConfigFor(stream().server.port(), QString::fromUtf8(stream().name)); }
    /// In place of the suite's destination; started, not waited for.
    NatsDestination &use(const NatsConfig &config);
    /// What becomes of the message in the end.
    QString outcomeOf(const Message &message);

private Q_SLOTS:
    void sendsCloudEventsInBinaryMode();
    void aDuplicateIsAccepted();             // S11
    void noStreamIsUndeliverable();          // S13
    void waitsForAStreamToComeBack();        // S13
    void aMessageTooLargeIsRejected();       // S13
    void whatIsNoSubjectIsRejected();        // S13
    void aForbiddenSubjectIsUndeliverable(); // S13
    void wrongPasswordIsNotTried();
    void waitsPatientlyForTheConnection();
    void saysNotTriedWhenPatienceEnds();
    void deadPeerIsNoticed();
    void aFullWireEndsTheConnection();
    void reconnectsAfterManyCuts(); // S11
    void survivesARestartOfTheServer();
    void verifiesTheCertificate();
    void stopsWhileConnecting();
};

NatsDestination &NatsTest::use(const NatsConfig &config)
{
    auto made = std::make_unique<NatsDestination>(config, *outcomes_, Random(1));
    auto &reference = *made;
    replace(std::move(made));
    destination_->start();
    return reference;
}

QString NatsTest::outcomeOf(const Message &message)
{
    const auto ticket = deliver(message);
    if (!QTest::qWaitFor([&] { return outcomes_->of(ticket) != nullptr; }, generous))
        qWarning("no outcome");
    return outcomes_->text(ticket);
}

void NatsTest::sendsCloudEventsInBinaryMode()
{
    Message sent = message(1);
    sent.tenant = QStringLiteral("Zoë & \"co\" 100%");
    sent.headers = {{QStringLiteral("X-Trace-Id"), QStringLiteral("abc")},
                    {QStringLiteral("line"), QStringLiteral("a\r\nNats-Msg-Id: b")},
                    {QStringLiteral("traceparent"), QString::fromUtf8(traceParent)}};
    QCOMPARE(outcomeOf(sent), QStringLiteral("accepted"));
    const auto items = stream().server.readAll(stream().name);
    QCOMPARE(items.size(), std::size_t{1});
    const auto id = sent.id.value().toByteArray(QUuid::WithoutBraces);
    const std::map<QByteArray, QByteArray> wanted{
        {"Nats-Msg-Id", id},
        {"content-type", "application/json"},
        {"ce-specversion", "1.0"},
        {"ce-id", id},
        {"ce-source", "/outbox"},
        {"ce-type", "contract.example"},
        {"ce-time", "2026-03-01T08:15:30.000250Z"},
        {"ce-schemaversion", "2"},
        {"ce-messagekind", "integration_event"},
        {"ce-eventrecord", "event-1"},
        {"ce-tenantid", "Zo%C3%AB%20&%20%22co%22%20100%25"},
        {"ce-xtraceid", "abc"},
        {"ce-line", "a%0D%0ANats-Msg-Id:%20b"},
        {"ce-traceparent", traceParent},
        {"traceparent", traceParent},
    };
    QVERIFY(items.front().headers == wanted);
    QCOMPARE(items.front().subject, stream().name);
}

// The stream knows it already, as after a lost acknowledgement: it is there, and there once.
void NatsTest::aDuplicateIsAccepted()
{
    const Message sent = message(1);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(outcomeOf(sent), QStringLiteral("accepted"));
    QCOMPARE(target_->held(), 1);
}

void NatsTest::noStreamIsUndeliverable()
{
    auto config = direct();
    config.subject = destination::NamePattern::parse(QStringLiteral("no.such.{tenant}")).value();
    use(config);
    QCOMPARE(outcomeOf(message(1)),
             QStringLiteral("undeliverable: no JetStream stream takes the subject 'no.such.tenant-7'"));
}

// A leader that is being elected looks like no stream at all.
void NatsTest::waitsForAStreamToComeBack()
{
    target_->become(Mood::reject);
    QObject::connect(
        &stream().wire, &test::TcpProxy::saidToClients, this,
        [&](const QByteArray &bytes) {
            if (bytes.contains("503"))
                target_->become(Mood::accept);
        },
        Qt::SingleShotConnection);
    QCOMPARE(outcomeOf(message(1)), QStringLiteral("accepted"));
}

void NatsTest::aMessageTooLargeIsRejected()
{
    Message large = message(1);
    large.payload = QByteArray("[\"") + QByteArray(1'050'000, 'x') + "\"]";
    QCOMPARE(outcomeOf(large),
             QStringLiteral("rejected: the message is larger than the 1048576 bytes the server takes"));
    large.payload = "{}";
    large.headers = {{QStringLiteral("big"), QString(1'050'000, u'x')}};
    QVERIFY(outcomeOf(large).startsWith(QStringLiteral("rejected: ")));
    QVERIFY(stream().isReady()); // and the connection lives
    stream().server.deleteStream(stream().name);
    stream().server.makeStream(stream().name, false, 2000);
    large.headers.clear();
    large.payload = QByteArray("[\"") + QByteArray(3000, 'x') + "\"]";
    const QString refused = outcomeOf(large);
    QVERIFY2(refused.startsWith(QStringLiteral("rejected: JetStream refused it: 10054 ")), qPrintable(refused));
}

void NatsTest::whatIsNoSubjectIsRejected()
{
    auto config = direct();
    config.subject = destination::NamePattern::parse(QStringLiteral("a.{tenant}")).value();
    use(config);
    for (const auto *tenant : {"", "b c", "b.*", ">", "b..c", ".b", "b\r\nPUB x 0"}) {
        Message sent = message(1);
        sent.tenant = QString::fromUtf8(tenant);
        const QString refused = outcomeOf(sent);
        QVERIFY2(refused.startsWith(QStringLiteral("rejected: 'a.")), qPrintable(refused));
    }
}

void NatsTest::aForbiddenSubjectIsUndeliverable()
{
    auto own = servers::NatsServer::start("authorization { users: [ { user: shop, password: hush, permissions: { "
                                          "publish: [ \"orders.>\" ], subscribe: \">\" } } ] }\n");
    QVERIFY2(own.ok(), own.ok() ? "" : qPrintable(own.error()));
    auto config = natsConfigFor((*own)->port(), QStringLiteral("secrets.{type}"));
    config.address.user = QStringLiteral("shop");
    config.password = destination::Secret(QStringLiteral("hush"));
    config.patience = seconds{20};
    use(config);
    QCOMPARE(outcomeOf(message(1)),
             QStringLiteral("undeliverable: the server does not permit publishing to 'secrets.contract.example'"));
}

void NatsTest::wrongPasswordIsNotTried()
{
    auto own = servers::NatsServer::start("authorization { user: shop, password: right }\n");
    QVERIFY2(own.ok(), own.ok() ? "" : qPrintable(own.error()));
    auto config = natsConfigFor((*own)->port(), QStringLiteral("orders"));
    config.address.user = QStringLiteral("shop");
    config.password = destination::Secret(QStringLiteral("hush"));
    QStringList lines;
    log::Listener listener;
    connect(&listener, &log::Listener::written, this, [&](const log::Line &line) { lines << line.text; });
    use(config);
    QCOMPARE(outcomeOf(message(1)), QStringLiteral("not tried: the server is not connected"));
    QVERIFY2(lines.join(u'\n').contains(QStringLiteral("nats.unavailable")), qPrintable(lines.join(u'\n')));
    QVERIFY2(!lines.join(u'\n').contains(QStringLiteral("hush")), qPrintable(lines.join(u'\n')));
}

void NatsTest::waitsPatientlyForTheConnection()
{
    stream().wire.goAway();
    auto config = natsConfigFor(stream().wire.port(), QString::fromUtf8(stream().name));
    config.patience = seconds{60};
    use(config);
    const auto ticket = deliver(message(1));
    stream().wire.comeBack();
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QVERIFY2(outcomes_->isAccepted(ticket), qPrintable(outcomes_->text(ticket)));
}

void NatsTest::saysNotTriedWhenPatienceEnds()
{
    stream().wire.goAway();
    QTRY_VERIFY_WITH_TIMEOUT(!stream().isReady(), generous);
    QCOMPARE(outcomeOf(message(1)), QStringLiteral("not tried: the server is not connected"));
    stream().wire.comeBack();
}

// A peer that neither answers nor hangs up: unanswered pings tell, long before the deadline.
void NatsTest::deadPeerIsNoticed()
{
    auto config = natsConfigFor(stream().wire.port(), QString::fromUtf8(stream().name));
    config.heartbeat = milliseconds{300};
    auto &nats = use(config);
    QSignalSpy changed(&nats, &NatsDestination::connectionChanged);
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, generous);
    stream().wire.stallAnswers();
    const auto ticket = deliver(message(1), std::chrono::minutes{10});
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    const auto *failure = outcomes_->failureOf(ticket);
    QVERIFY2(failure && failure->cause == FailureCause::unreachable, qPrintable(outcomes_->text(ticket)));
    stream().wire.mend();
    QTRY_VERIFY_WITH_TIMEOUT(changed.size() >= 3 && changed.last().first().toBool(), generous);
    QCOMPARE(outcomeOf(message(2)), QStringLiteral("accepted"));
}

// The server reads no more: after one writeTimeout the connection counts as lost, and each gets its outcome.
void NatsTest::aFullWireEndsTheConnection()
{
    auto config = natsConfigFor(stream().wire.port(), QString::fromUtf8(stream().name));
    config.concurrency = 1000;
    config.writeTimeout = milliseconds{500};
    auto &nats = use(config);
    QSignalSpy changed(&nats, &NatsDestination::connectionChanged);
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, generous);
    stream().wire.stallRequests();
    Message big = message(1);
    big.payload = QByteArray("[\"") + QByteArray(20'000, 'x') + "\"]";
    for (int i = 0; i < 1000; ++i) {
        big.id = MessageId(QUuid::createUuid());
        deliver(big, seconds{5});
    }
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), 1000, generous);
    QCOMPARE(outcomes_->accepted(), 0);
    QVERIFY(changed.size() >= 2);
    stream().wire.mend();
    QTRY_VERIFY_WITH_TIMEOUT(outcomeOf(message(2)) == QStringLiteral("accepted"), generous);
}

// Whatever breaks, what was accepted is in the stream.
void NatsTest::reconnectsAfterManyCuts()
{
    std::size_t settled = 0;
    std::vector<std::uint64_t> tickets;
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 40; ++i)
            tickets.push_back(deliver(message(i)));
        QTRY_VERIFY_WITH_TIMEOUT(static_cast<std::size_t>(outcomes_->count()) > settled, generous);
        stream().wire.cut();
        QTRY_COMPARE_WITH_TIMEOUT(static_cast<std::size_t>(outcomes_->count()), tickets.size(), generous);
        settled = tickets.size();
    }
    QVERIFY(outcomes_->accepted() > 0);
    QVERIFY(stream().held() >= outcomes_->accepted());
}

void NatsTest::survivesARestartOfTheServer()
{
    auto own = servers::NatsServer::start();
    QVERIFY2(own.ok(), own.ok() ? "" : qPrintable(own.error()));
    auto &server = **own;
    const auto url = QByteArray("nats://127.0.0.1:") + QByteArray::number(server.port());
    natsConnection *owner = nullptr;
    QCOMPARE(natsConnection_ConnectTo(&owner, url.constData()), NATS_OK);
    jsCtx *context = nullptr;
    QCOMPARE(natsConnection_JetStream(&context, owner, nullptr), NATS_OK);
    const char *subjects[] = {"orders"};
    jsStreamConfig stream;
    jsStreamConfig_Init(&stream);
    stream.Name = "orders";
    stream.Subjects = subjects;
    stream.SubjectsLen = 1;
    QCOMPARE(js_AddStream(nullptr, context, &stream, nullptr, nullptr), NATS_OK);
    jsCtx_Destroy(context);
    natsConnection_Destroy(owner);
    auto &nats = use(natsConfigFor(server.port(), QStringLiteral("orders")));
    QSignalSpy changed(&nats, &NatsDestination::connectionChanged);
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, generous);
    QCOMPARE(outcomeOf(message(1)), QStringLiteral("accepted"));
    server.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!changed.last().first().toBool(), generous);
    QCOMPARE(outcomeOf(message(2)), QStringLiteral("not tried: the server is not connected"));
    QVERIFY(server.goOn().ok());
    QTRY_VERIFY_WITH_TIMEOUT(outcomeOf(message(3)) == QStringLiteral("accepted"), generous);
}

void NatsTest::verifiesTheCertificate()
{
    const test::TestCertificate certificate;
    auto own = servers::NatsServer::start("tls { cert_file: \"" + certificate.file().toUtf8() + "\", key_file: \"" +
                                          certificate.keyFile().toUtf8() + "\" }\n");
    QVERIFY2(own.ok(), own.ok() ? "" : qPrintable(own.error()));
    auto config = natsConfigFor((*own)->port(), QStringLiteral("orders"));
    config.address.host = QStringLiteral("localhost");
    config.address.tls = true;
    use(config);
    QCOMPARE(outcomeOf(message(1)), QStringLiteral("not tried: the server is not connected"));
    config.caFile = certificate.file();
    config.patience = seconds{20};
    use(config);
    QCOMPARE(outcomeOf(message(2)), QStringLiteral("undeliverable: no JetStream stream takes the subject 'orders'"));
}

void NatsTest::stopsWhileConnecting()
{
    stream().wire.stallAnswers();
    auto config = natsConfigFor(stream().wire.port(), QString::fromUtf8(stream().name));
    config.connectTimeout = milliseconds{500};
    replace(std::make_unique<NatsDestination>(config, *outcomes_, Random(1)));
    QSignalSpy stopped(destination_.get(), &Service::stopped);
    destination_->start();
    const auto ticket = deliver(message(1));
    destination_->stop();
    QVERIFY2(outcomes_->isNotTried(ticket), qPrintable(outcomes_->text(ticket)));
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, generous);
}

QTEST_GUILESS_MAIN(NatsTest)
#include "nats_test.moc"
