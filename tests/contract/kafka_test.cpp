// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "contract/kafka_cluster.h"
#include "contract/suite.h"

#include <QtTest>

using namespace outbox;
using namespace outbox::contract;
using destination::KafkaConfig;
using destination::KafkaDestination;
using destination::NamePattern;

namespace {

constexpr int generous = 30000;

} // namespace

class KafkaTest : public Suite {
    Q_OBJECT
protected:
    std::unique_ptr<Target> makeTarget() override { return std::make_unique<Topic>(); }
    Topic &topic() { return static_cast<Topic &>(*target_); }
    KafkaConfig direct() { return kafkaConfigFor(topic().cluster.brokers(), QString::fromUtf8(topic().name)); }
    /// In place of the suite's destination.
    void use(const KafkaConfig &config);
    /// What becomes of the message in the end.
    QString outcomeOf(const Message &message);

private Q_SLOTS:
    void sendsCloudEventsInBinaryMode();
    void theKeyIsTheOrderingKeyOrTheId();
    void brokerErrors_data();
    void brokerErrors(); // S13
    void shortTroubleIsHealed_data();
    void shortTroubleIsHealed();       // S11
    void noSuchTopicIsUndeliverable(); // S13
    void whatIsNoTopicIsRejected();    // S13
    void tooLargeIsRejected();         // S13
    void aBrokerTakenDownIsReplaced(); // S11
    void allBrokersDownIsNotTried();
    void aFullQueueHoldsTheRestBack();
    void aFatalErrorReplacesTheClient();
    void acceptsOnlyWhatIsThere(); // S11
    void aPasswordIsNeverTold();
};

void KafkaTest::use(const KafkaConfig &config)
{
    replace(std::make_unique<KafkaDestination>(config, *outcomes_, Random(1)));
    destination_->start();
}

QString KafkaTest::outcomeOf(const Message &message)
{
    const auto ticket = deliver(message);
    if (!QTest::qWaitFor([&] { return outcomes_->of(ticket) != nullptr; }, generous))
        qWarning("no outcome");
    return outcomes_->text(ticket);
}

void KafkaTest::sendsCloudEventsInBinaryMode()
{
    Message sent = message(1);
    sent.tenant = QStringLiteral("Zoë & \"co\" 100%");
    sent.headers = {{QStringLiteral("X-Trace-Id"), QStringLiteral("abc")},
                    {QStringLiteral("traceparent"), QString::fromUtf8(traceParent)}};
    const auto before = topic().cluster.depth(topic().name);
    QCOMPARE(outcomeOf(sent), QStringLiteral("accepted"));
    const auto items = topic().cluster.read(topic().name, before, before + 1);
    const auto id = sent.id.value().toByteArray(QUuid::WithoutBraces);
    const std::map<QByteArray, QByteArray> wanted{
        {"content-type", "application/json"},
        {"ce_specversion", "1.0"},
        {"ce_id", id},
        {"ce_source", "/outbox"},
        {"ce_type", "contract.example"},
        {"ce_time", "2026-03-01T08:15:30.000250Z"},
        {"ce_schemaversion", "2"},
        {"ce_messagekind", "integration_event"},
        {"ce_eventrecord", "event-1"},
        {"ce_tenantid", "Zo\xc3\xab & \"co\" 100%"},
        {"ce_xtraceid", "abc"},
        {"ce_traceparent", traceParent},
        {"traceparent", traceParent},
    };
    QVERIFY(items.front().headers == wanted);
    QCOMPARE(items.front().body, sent.payload);
}

void KafkaTest::theKeyIsTheOrderingKeyOrTheId()
{
    const auto before = topic().cluster.depth(topic().name);
    Message keyed = message(1);
    keyed.orderingKey = QStringLiteral("Käufer 7");
    const Message plain = message(2);
    QCOMPARE(outcomeOf(keyed), QStringLiteral("accepted"));
    QCOMPARE(outcomeOf(plain), QStringLiteral("accepted"));
    const auto items = topic().cluster.read(topic().name, before, before + 2);
    QCOMPARE(items[0].key, QByteArray("K\xc3\xa4ufer 7"));
    QCOMPARE(items[1].key, plain.id.value().toByteArray(QUuid::WithoutBraces));
}

void KafkaTest::brokerErrors_data()
{
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("outcome");
    const auto row = [](const char *name, rd_kafka_resp_err_t error, const char *outcome) {
        QTest::newRow(name) << int{error} << QString::fromUtf8(outcome);
    };
    row("invalid record", RD_KAFKA_RESP_ERR_INVALID_RECORD, "rejected");
    row("too large", RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, "rejected");
    row("invalid timestamp", RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP, "rejected");
    row("no right", RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, "undeliverable");
    row("invalid topic", RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION, "undeliverable");
    row("too few replicas", RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, "busy");
    row("unknown server error", RD_KAFKA_RESP_ERR_UNKNOWN, "target-error");
}

void KafkaTest::brokerErrors()
{
    QFETCH(const int, error);
    QFETCH(const QString, outcome);
    topic().cluster.failProduce(static_cast<rd_kafka_resp_err_t>(error));
    const QString found = outcomeOf(message(1));
    QVERIFY2(found.startsWith(outcome + QStringLiteral(": Kafka, topic '%1': ").arg(QString::fromUtf8(topic().name))),
             qPrintable(found));
    topic().cluster.mend();
    QTRY_VERIFY_WITH_TIMEOUT(outcomeOf(message(2)) == QStringLiteral("accepted"), generous); // it remembers for a while
}

void KafkaTest::shortTroubleIsHealed_data()
{
    QTest::addColumn<int>("error");
    QTest::newRow("leader moved") << int{RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION};
    QTest::newRow("too few replicas") << int{RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS};
    QTest::newRow("broker timed out") << int{RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT};
    QTest::newRow("already written") << int{RD_KAFKA_RESP_ERR_DUPLICATE_SEQUENCE_NUMBER};
}

// The client repeats it by itself, and the engine's attempt is not used up.
void KafkaTest::shortTroubleIsHealed()
{
    QFETCH(const int, error);
    topic().cluster.failProduce(static_cast<rd_kafka_resp_err_t>(error), 1);
    QCOMPARE(outcomeOf(message(1)), QStringLiteral("accepted"));
}

void KafkaTest::noSuchTopicIsUndeliverable()
{
    topic().cluster.makeTopic("gone");
    topic().cluster.breakTopic("gone", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
    auto config = direct();
    config.topic = NamePattern::parse(QStringLiteral("gone")).value();
    config.timeout = seconds{4};
    use(config);
    QCOMPARE(outcomeOf(message(1)),
             QStringLiteral("undeliverable: Kafka, topic 'gone': Broker: Unknown topic or partition"));
}

void KafkaTest::whatIsNoTopicIsRejected()
{
    auto config = direct();
    config.topic = NamePattern::parse(QStringLiteral("{tenant}")).value();
    use(config);
    for (const auto &tenant : {QString(), QStringLiteral("a b"), QStringLiteral("ä"), QStringLiteral(".."),
                               QStringLiteral("a/b"), QString(250, u'x')}) {
        Message sent = message(1);
        sent.tenant = tenant;
        const QString refused = outcomeOf(sent);
        QVERIFY2(refused.startsWith(QStringLiteral("rejected: '")), qPrintable(refused));
    }
}

void KafkaTest::tooLargeIsRejected()
{
    Message large = message(1);
    large.payload = QByteArray("[\"") + QByteArray(1'000'000, 'x') + "\"]";
    const auto ticket = deliver(large);
    const auto fine = deliver(message(2));
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), 2, generous);
    QVERIFY2(outcomes_->text(ticket).startsWith(QStringLiteral("rejected: Kafka, topic")),
             qPrintable(outcomes_->text(ticket)));
    QVERIFY2(outcomes_->isAccepted(fine), qPrintable(outcomes_->text(fine)));
}

// Its partition's leader goes down with messages in flight; another broker takes over.
void KafkaTest::aBrokerTakenDownIsReplaced()
{
    KafkaCluster cluster(3);
    cluster.makeTopic("orders", 3);
    cluster.moveLeader("orders", 1);
    auto config = kafkaConfigFor(cluster.brokers(), QStringLiteral("orders"));
    config.timeout = seconds{60};
    use(config);
    QCOMPARE(outcomeOf(message(1)), QStringLiteral("accepted"));
    cluster.setDown(1, true);
    const auto first = deliverMany(20);
    cluster.moveLeader("orders", 2);
    QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), 21, generous);
    for (auto ticket = first; ticket < first + 20; ++ticket)
        QVERIFY2(outcomes_->isAccepted(ticket), qPrintable(outcomes_->text(ticket)));
    QVERIFY(cluster.depth("orders") >= 21);
}

void KafkaTest::allBrokersDownIsNotTried()
{
    KafkaCluster cluster(1);
    cluster.makeTopic("orders");
    auto config = kafkaConfigFor(cluster.brokers(), QStringLiteral("orders"));
    config.timeout = seconds{2};
    cluster.setDown(1, true);
    use(config);
    QCOMPARE(outcomeOf(message(1)), QStringLiteral("not tried: no broker is connected"));
    cluster.setDown(1, false);
    QTRY_VERIFY_WITH_TIMEOUT(outcomeOf(message(2)) == QStringLiteral("accepted"), generous);
}

// Deadlines that end before the client's own leave their messages in its queue, which is bounded: what comes
// then waits its turn and goes out when there is room again.
void KafkaTest::aFullQueueHoldsTheRestBack()
{
    KafkaCluster cluster(1);
    cluster.makeTopic("orders");
    auto config = kafkaConfigFor(cluster.brokers(), QStringLiteral("orders"));
    config.timeout = seconds{3};
    cluster.setDown(1, true);
    use(config);
    int sent = 0;
    for (int round = 0; round < 8; ++round) { // 400 in all, and its queue takes 200
        deliverMany(50, milliseconds{200});
        sent += 50;
        QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), sent, generous);
    }
    int untried = 0;
    for (std::uint64_t ticket = 1; ticket <= 400; ++ticket)
        untried += outcomes_->isNotTried(ticket) ? 1 : 0;
    QVERIFY2(untried >= 150, qPrintable(QString::number(untried)));
    QCOMPARE(outcomes_->accepted(), 0);
    cluster.setDown(1, false);
    QTRY_VERIFY_WITH_TIMEOUT(outcomeOf(message(2)) == QStringLiteral("accepted"), generous);
}

// An error after which an idempotent client sends nothing any more.
void KafkaTest::aFatalErrorReplacesTheClient()
{
    QStringList lines;
    log::Listener listener;
    connect(&listener, &log::Listener::written, this, [&](const log::Line &line) { lines << line.text; });
    topic().cluster.failProduce(RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, 1);
    const QString first = outcomeOf(message(1));
    QVERIFY2(!first.startsWith(QStringLiteral("accepted")), qPrintable(first));
    QTRY_VERIFY_WITH_TIMEOUT(outcomeOf(message(2)) == QStringLiteral("accepted"), generous);
    QVERIFY2(lines.join(u'\n').contains(QStringLiteral("the client ended")), qPrintable(lines.join(u'\n')));
}

// Whatever breaks, what was accepted is in the topic.
void KafkaTest::acceptsOnlyWhatIsThere()
{
    std::set<QString> accepted;
    std::map<std::uint64_t, QString> ids;
    for (int round = 0; round < 5; ++round) {
        const auto settled = outcomes_->count();
        for (int i = 0; i < 10; ++i) {
            const Message next = message(i);
            ids[deliver(next)] = toText(next.id);
        }
        topic().wire.cut();
        QTRY_COMPARE_WITH_TIMEOUT(outcomes_->count(), settled + 10, generous);
    }
    for (const auto &[ticket, id] : ids)
        if (outcomes_->isAccepted(ticket))
            accepted.insert(id);
    QVERIFY(!accepted.empty());
    for (const auto &each : target_->take())
        accepted.erase(each.id);
    QVERIFY(accepted.empty());
}

void KafkaTest::aPasswordIsNeverTold()
{
    QStringList lines;
    log::Listener listener;
    connect(&listener, &log::Listener::written, this, [&](const log::Line &line) { lines << line.text; });
    auto config = direct(); // whose broker knows no login
    config.user = QStringLiteral("shop");
    config.password = destination::Secret(QStringLiteral("hush"));
    config.timeout = seconds{2};
    use(config);
    const QString outcome = outcomeOf(message(1));
    QVERIFY2(outcome.startsWith(QStringLiteral("not tried: ")), qPrintable(outcome));
    config.caFile = QStringLiteral("/no/such/roots.pem");
    config.tls = true;
    use(config);
    const QString refused = outcomeOf(message(2));
    QCOMPARE(refused, QStringLiteral("not tried: there is no Kafka client for now"));
    lines << outcome << refused;
    QVERIFY2(!lines.join(u'\n').contains(QStringLiteral("hush")), qPrintable(lines.join(u'\n')));
}

QTEST_GUILESS_MAIN(KafkaTest)
#include "kafka_test.moc"
