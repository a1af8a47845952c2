// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/amqp_close.h"
#include "destination/amqp/amqp_config.h"
#include "destination/amqp/unconfirmed.h"
#include "destination/cloudevents.h"

#include <QtTest>

using namespace outbox;
using namespace outbox::destination;
using delivery::Ticket;

namespace {

const Instant later = Instant{} + std::chrono::hours{1};

QUuid idOf(int number) { return QUuid(static_cast<uint>(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); }

Unconfirmed::Entry entry(int number, Instant end = later)
{
    return {Ticket(static_cast<std::uint64_t>(number)), idOf(number), end, number * 100, false};
}

Unconfirmed withEntries(int count)
{
    Unconfirmed all;
    for (int i = 1; i <= count; ++i)
        all.published(entry(i));
    return all;
}

std::vector<Ticket> tickets(std::initializer_list<int> numbers)
{
    std::vector<Ticket> all;
    for (const int number : numbers)
        all.emplace_back(static_cast<std::uint64_t>(number));
    return all;
}

QByteArray valueOf(const Message &message, const QByteArray &name)
{
    for (const auto &each : eventAttributes(message, "/outbox"))
        if (each.name == name)
            return each.value;
    return "(none)";
}

} // namespace

class DestinationRulesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void confirmsOneByOneAndOutOfOrder();
    void confirmsManyAtOnce();
    void ignoresTagsItDoesNotKnow();
    void returnsByMessageId();
    void expiresOnce();
    void startsAnewAfterAReset();
    void closeCodes_data();
    void closeCodes();               // S13
    void onlyTheLargestIsTooLarge(); // S13
    void attributesByKind();         // S5
    void headersGetNamesOfTheirOwn();
    void traceContexts();
    void percentEncoding_data();
    void percentEncoding();
    void times();
    void routingKeys();
    void brokerUrls_data();
    void brokerUrls();
};

void DestinationRulesTest::confirmsOneByOneAndOutOfOrder()
{
    auto all = withEntries(4);
    QVERIFY(all.confirmed(3, false) == tickets({3}));
    QVERIFY(all.confirmed(1, false) == tickets({1}));
    QVERIFY(all.confirmed(1, false).empty());
    QVERIFY(all.confirmed(3, false).empty());
    QVERIFY(all.confirmed(4, false) == tickets({4}));
    QVERIFY(all.anyOpen());
    QVERIFY(all.confirmed(2, false) == tickets({2}));
    QVERIFY(!all.anyOpen());
    all.published(entry(5));
    QVERIFY(all.confirmed(5, false) == tickets({5}));
}

void DestinationRulesTest::confirmsManyAtOnce()
{
    auto all = withEntries(6);
    QVERIFY(all.confirmed(2, false) == tickets({2}));
    QVERIFY(all.confirmed(4, true) == tickets({1, 3, 4}));
    QVERIFY(all.confirmed(4, true).empty());
    QVERIFY(all.confirmed(0, true) == tickets({5, 6})); // the protocol's "all so far"
    QVERIFY(!all.anyOpen());
}

void DestinationRulesTest::ignoresTagsItDoesNotKnow()
{
    auto all = withEntries(2);
    QVERIFY(all.confirmed(3, false).empty());
    QVERIFY(all.confirmed(99, true).empty());
    QVERIFY(all.confirmed(0, false).empty());
    QVERIFY(all.confirmed(2, true) == tickets({1, 2}));
    QVERIFY(all.confirmed(0, true).empty());
}

void DestinationRulesTest::returnsByMessageId()
{
    auto all = withEntries(3);
    QVERIFY(all.returned(idOf(2)) == Ticket(2));
    QVERIFY(!all.returned(idOf(2)));
    QVERIFY(!all.returned(idOf(9)));
    QVERIFY(all.confirmed(3, true) == tickets({1, 3})); // the returned one's own confirm settles nothing
}

void DestinationRulesTest::expiresOnce()
{
    Unconfirmed all;
    const Instant now{seconds{100}};
    all.published(entry(1, now + std::chrono::milliseconds{1}));
    all.published(entry(2, now + seconds{10}));
    QVERIFY(all.expired(now) == tickets({1})); // before the next look, so before its end
    QVERIFY(all.expired(now).empty());
    QVERIFY(all.confirmed(1, false).empty());
    QVERIFY(all.confirmed(2, false) == tickets({2}));
}

void DestinationRulesTest::startsAnewAfterAReset()
{
    auto all = withEntries(3);
    QVERIFY(all.confirmed(2, false) == tickets({2}));
    const auto open = all.reset();
    QCOMPARE(open.size(), std::size_t{2});
    QCOMPARE(open[0].ticket, Ticket(1));
    QCOMPARE(open[1].ticket, Ticket(3));
    QVERIFY(!all.anyOpen());
    all.published(entry(4));
    QVERIFY(all.confirmed(1, false) == tickets({4})); // tags count from 1 again
}

void DestinationRulesTest::closeCodes_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<FailureCause>("cause");
    QTest::newRow("no such exchange") << 404 << FailureCause::unreachable;
    QTest::newRow("forbidden") << 403 << FailureCause::unreachable;
    QTest::newRow("broker shuts down") << 320 << FailureCause::unreachable;
    QTest::newRow("normal") << 200 << FailureCause::unreachable;
    QTest::newRow("frame error") << 501 << FailureCause::target_error;
    QTest::newRow("internal error") << 541 << FailureCause::target_error;
}

void DestinationRulesTest::closeCodes()
{
    QFETCH(const int, code);
    QFETCH(const FailureCause, cause);
    const auto outcomes = outcomesOfClose({code, QStringLiteral("WORDS")}, {entry(1), entry(2)});
    QCOMPARE(outcomes.size(), std::size_t{2});
    for (const auto &each : outcomes) {
        const auto *failed = std::get_if<delivery::Failed>(&each);
        QVERIFY(failed);
        QCOMPARE(failed->failure.cause, cause);
        QVERIFY(failed->failure.summary.contains(QStringLiteral("%1 WORDS").arg(code)));
    }
    QVERIFY(outcomesOfClose({code, QString()}, {}).empty());
}

void DestinationRulesTest::onlyTheLargestIsTooLarge()
{
    for (const int code : {311, 406}) {
        const auto outcomes = outcomesOfClose({code, QStringLiteral("too large")}, {entry(1), entry(3), entry(2)});
        const auto causeOf = [&](std::size_t i) { return std::get<delivery::Failed>(outcomes[i]).failure.cause; };
        QCOMPARE(causeOf(0), FailureCause::unreachable);
        QCOMPARE(causeOf(1), FailureCause::rejected);
        QCOMPARE(causeOf(2), FailureCause::unreachable);
        QVERIFY(outcomesOfClose({code, QString()}, {}).empty());
    }
}

void DestinationRulesTest::attributesByKind()
{
    Message message;
    message.kind = IntegrationEvent{QStringLiteral("e-1")};
    QCOMPARE(valueOf(message, "messagekind"), QByteArray("integration_event"));
    QCOMPARE(valueOf(message, "eventrecord"), QByteArray("e-1"));
    QCOMPARE(valueOf(message, "tenantid"), QByteArray("(none)"));
    message.kind = JourneyStepCommand{};
    QCOMPARE(valueOf(message, "messagekind"), QByteArray("journey_step_command"));
    QCOMPARE(valueOf(message, "eventrecord"), QByteArray("(none)"));
    message.kind = ProviderSideEffect{};
    QCOMPARE(valueOf(message, "messagekind"), QByteArray("provider_side_effect"));
}

void DestinationRulesTest::headersGetNamesOfTheirOwn()
{
    Message message;
    const auto header = [&](const char *name, const char *value) {
        message.headers.append({QString::fromUtf8(name), QString::fromUtf8(value)});
    };
    header("Trace-Parent", "1");
    header("traceparent", "2");
    header("TRACE_PARENT", "3");
    header("Id", "4");
    header("data", "5");
    header("subject", "6");
    header("\xc3\xa4", "7");
    header("--", "8");
    QCOMPARE(valueOf(message, "traceparent"), QByteArray("1"));
    QCOMPARE(valueOf(message, "headertraceparent"), QByteArray("2"));
    QCOMPARE(valueOf(message, "headertraceparent2"), QByteArray("3"));
    QCOMPARE(valueOf(message, "headerid"), QByteArray("4"));
    QCOMPARE(valueOf(message, "headerdata"), QByteArray("5"));
    QCOMPARE(valueOf(message, "headersubject"), QByteArray("6"));
    QCOMPARE(valueOf(message, "header"), QByteArray("7"));
    QCOMPARE(valueOf(message, "header2"), QByteArray("8"));
    for (const auto &each : eventAttributes(message, "/outbox"))
        for (const char letter : each.name)
            QVERIFY2((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'), each.name.constData());
}

void DestinationRulesTest::traceContexts()
{
    const QString parent = QStringLiteral("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    const auto namesFor = [](const QList<Header> &headers) {
        Message message;
        message.headers = headers;
        QByteArrayList names;
        for (const auto &[name, value] : traceContext(message))
            names << name;
        return names;
    };
    const QByteArrayList both{"traceparent", "tracestate"};
    QCOMPARE(namesFor({{QStringLiteral("TraceState"), QStringLiteral("a=1")}, {QStringLiteral("Traceparent"), parent}}),
             both);
    QCOMPARE(namesFor({{QStringLiteral("traceparent"), parent}, {QStringLiteral("tracestate"), QStringLiteral("\n")}}),
             QByteArrayList{"traceparent"});
    QVERIFY(namesFor({{QStringLiteral("tracestate"), QStringLiteral("a=1")}}).isEmpty());
    for (const auto *wrong : {"", "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                              "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                              "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                              "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                              "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\nX: y"})
        QVERIFY2(namesFor({{QStringLiteral("traceparent"), QString::fromUtf8(wrong)}}).isEmpty(), wrong);
}

void DestinationRulesTest::percentEncoding_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("encoded");
    QTest::newRow("plain") << QByteArray("abc-XYZ.0~!'()*;/?:@&=+$,#[]") << QByteArray("abc-XYZ.0~!'()*;/?:@&=+$,#[]");
    QTest::newRow("space, quote, percent") << QByteArray("a \"b\" 5%") << QByteArray("a%20%22b%22%205%25");
    QTest::newRow("line breaks") << QByteArray("a\r\nX: y\t\x7f") << QByteArray("a%0D%0AX:%20y%09%7F");
    QTest::newRow("euro") << QByteArray("\xe2\x82\xac") << QByteArray("%E2%82%AC");
    QTest::newRow("beyond the basic plane") << QByteArray("\xf0\x9f\x98\x80") << QByteArray("%F0%9F%98%80");
}

void DestinationRulesTest::percentEncoding()
{
    QFETCH(const QByteArray, value);
    QFETCH(const QByteArray, encoded);
    QCOMPARE(percentEncoded(value), encoded);
}

void DestinationRulesTest::times()
{
    QCOMPARE(rfc3339(Timestamp{}), QByteArray("1970-01-01T00:00:00.000000Z"));
    QCOMPARE(rfc3339(Timestamp{std::chrono::microseconds{1'709'251'199'999'999}}),
             QByteArray("2024-02-29T23:59:59.999999Z"));
    QCOMPARE(rfc3339(Timestamp{std::chrono::microseconds{-1}}), QByteArray("1969-12-31T23:59:59.999999Z"));
}

void DestinationRulesTest::routingKeys()
{
    Message message;
    message.type = MessageType(QStringLiteral("orders.placed"));
    message.version = SchemaVersion(3);
    message.tenant = QStringLiteral("zürich");
    message.kind = ProviderSideEffect{};
    QCOMPARE(RoutingKey().of(message), QByteArray("orders.placed"));
    const auto key = RoutingKey::parse(QStringLiteral("{tenant}.{kind}/v{version}"));
    QVERIFY(key.ok());
    QCOMPARE(key->of(message), QByteArray("z\xc3\xbcrich.provider_side_effect/v3"));
    QCOMPARE(RoutingKey::parse(QStringLiteral("fixed"))->of(message), QByteArray("fixed"));
    QCOMPARE(RoutingKey::parse(QString())->of(message), QByteArray());
    for (const auto *wrong : {"{", "}", "a{b", "a}b", "{}", "{Type}"})
        QVERIFY2(!RoutingKey::parse(QString::fromUtf8(wrong)).ok(), wrong);
}

void DestinationRulesTest::brokerUrls_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("wanted"); ///< user@host:port virtual host, TLS; empty: refused
    QTest::newRow("short") << QStringLiteral("amqp://mq") << QStringLiteral("guest@mq:5672 /");
    QTest::newRow("slash only") << QStringLiteral("amqp://mq/") << QStringLiteral("guest@mq:5672 /");
    QTest::newRow("encoded slash") << QStringLiteral("amqp://mq/%2f") << QStringLiteral("guest@mq:5672 /");
    QTest::newRow("all") << QStringLiteral("amqps://me%40home@mq.example:1234/a%2Fb")
                         << QStringLiteral("me@home@mq.example:1234 a/b tls");
    QTest::newRow("tls") << QStringLiteral("amqps://mq/shop") << QStringLiteral("guest@mq:5671 shop tls");
    QTest::newRow("password") << QStringLiteral("amqp://me:hush@mq") << QString();
    QTest::newRow("scheme") << QStringLiteral("mqtt://mq") << QString();
    QTest::newRow("no host") << QStringLiteral("amqp:///x") << QString();
    QTest::newRow("query") << QStringLiteral("amqp://mq/x?heartbeat=1") << QString();
    QTest::newRow("not a url") << QStringLiteral("amqp://mq:99999/") << QString();
}

void DestinationRulesTest::brokerUrls()
{
    QFETCH(const QString, url);
    QFETCH(const QString, wanted);
    const auto parsed = parseAmqpAddress(url);
    QCOMPARE(parsed.ok(), !wanted.isEmpty());
    if (!parsed) {
        QVERIFY(!parsed.error().contains(QStringLiteral("hush")));
        return;
    }
    QCOMPARE(QStringLiteral("%1@%2:%3 %4%5")
                 .arg(parsed->user, parsed->host)
                 .arg(parsed->port)
                 .arg(parsed->virtualHost, parsed->tls ? QStringLiteral(" tls") : QString()),
             wanted);
}

QTEST_GUILESS_MAIN(DestinationRulesTest)
#include "destination_rules_test.moc"
