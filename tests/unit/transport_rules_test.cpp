// SPDX-License-Identifier: Apache-2.0
#include "destination/http/webhook_signature.h"
#include "destination/nats/nats_config.h"
#include "destination/nats/nats_outcome.h"

#include <QtTest>

using namespace outbox;
using namespace outbox::destination;

namespace {

QString nameOf(FailureCause cause)
{
    const auto name = causeName(cause);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

} // namespace

/// Rules of single transports that need no server.
class TransportRulesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void natsAnswers_data();
    void natsAnswers(); // S11, S13
    void natsUrls();
    void webhookSignatures();
    void webhookKeys();
};

void TransportRulesTest::natsAnswers_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("cause"); ///< empty: accepted
    const auto row = [](const char *name, natsStatus status, int code, const char *cause) {
        QTest::newRow(name) << int{status} << code << QString::fromUtf8(cause);
    };
    row("acknowledged", NATS_OK, 0, "");
    row("no stream", NATS_NO_RESPONDERS, 0, "undeliverable");
    row("no answer", NATS_TIMEOUT, 0, "timeout");
    row("too large", NATS_ERR, JSStreamMessageExceedsMaximumErr, "rejected");
    row("another stream than expected", NATS_ERR, JSStreamNotMatchErr, "rejected");
    row("JetStream is off", NATS_ERR, JSNotEnabledErr, "undeliverable");
    row("full stream", NATS_ERR, JSStreamStoreFailedErr, "busy");
    row("full disk", NATS_ERR, JSStorageResourcesExceededErr, "busy");
    row("full memory", NATS_ERR, JSMemoryResourcesExceededErr, "busy");
    row("no cluster", NATS_ERR, JSClusterNotAvailErr, "busy");
    row("anything else", NATS_ERR, JSRaftGeneralErr, "target-error");
}

void TransportRulesTest::natsAnswers()
{
    QFETCH(const int, status);
    QFETCH(const int, code);
    QFETCH(const QString, cause);
    const NatsAnswer answer{{}, static_cast<natsStatus>(status), static_cast<jsErrCode>(code), QStringLiteral("why")};
    const auto outcome = outcomeOfAnswer(answer, QStringLiteral("orders"));
    const auto *failed = std::get_if<delivery::Failed>(&outcome);
    QCOMPARE(failed ? nameOf(failed->failure.cause) : QString(), cause);
}

void TransportRulesTest::natsUrls()
{
    const auto all = parseNatsAddress(QStringLiteral("tls://shop@nats.example:4333"));
    QVERIFY(all.ok());
    QVERIFY(all->tls);
    QCOMPARE(QStringLiteral("%1@%2:%3").arg(all->user, all->host).arg(all->port),
             QStringLiteral("shop@nats.example:4333"));
    const auto brief = parseNatsAddress(QStringLiteral("nats://nats.example"));
    QVERIFY(brief.ok() && !brief->tls && brief->user.isEmpty());
    QCOMPARE(brief->port, 4222);
    for (const auto *wrong : {"nats.example", "amqp://h", "nats://", "nats://h/x", "nats://me:hush@h", "nats://h?x=1"})
        if (const auto parsed = parseNatsAddress(QString::fromUtf8(wrong)); parsed.ok())
            QFAIL(wrong);
        else
            QVERIFY(!parsed.error().contains(QStringLiteral("hush")));
}

// The example of the Standard Webhooks specification's own libraries.
void TransportRulesTest::webhookSignatures()
{
    const auto key = WebhookKey::parse(Secret(QStringLiteral("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")));
    QVERIFY(key.ok());
    QCOMPARE(key->signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, "{\"test\": 2432232314}"),
             QByteArray("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
}

void TransportRulesTest::webhookKeys()
{
    const auto parse = [](const char *text) { return WebhookKey::parse(Secret(QString::fromUtf8(text))); };
    QVERIFY(parse("a plain key of twenty-four").ok());
    for (const auto *wrong : {"", "hush", "whsec_", "whsec_aHVzaA==", "whsec_hush!hush!hush!hush!hush!hush!hush!",
                              "hush-hush-hush-hush-hush-hush-hush-hush-hush-hush-hush-hush-hush-hush"})
        if (const auto parsed = parse(wrong); parsed.ok())
            QFAIL(wrong);
        else
            QVERIFY(!parsed.error().contains(QStringLiteral("hush")));
}

QTEST_GUILESS_MAIN(TransportRulesTest)
#include "transport_rules_test.moc"
