// SPDX-License-Identifier: Apache-2.0
#include "catalogue/catalogue.h"
#include "catalogue/worker.h"
#include "settings/duration.h"
#include "settings/load.h"
#include "settings/spelling.h"
#include "support/test_certificate.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace outbox;
using namespace outbox::app;

namespace {

const QByteArray wholeFile = "store: postgresql:///orders\n"
                             "worker:  { name: berlin-1, batch: 200, lease: 45s, poll: 5s, grace: 5s }\n"
                             "retry:   { base: 500ms, cap: 10m, attempts: 7 }\n"
                             "destinations:\n"
                             "  orders-broker:\n"
                             "    amqp:\n"
                             "      url: amqp://shop@mq.example:5673/orders%2feu\n"
                             "      password: {env: RABBIT_PASSWORD}\n"
                             "      exchange: orders\n"
                             "      routing_key: \"v{version}.{type}\"\n"
                             "      concurrency: 64\n"
                             "      heartbeat: 5s\n"
                             "      source: /shop\n"
                             "  payments:\n"
                             "    http: { url: \"https://pay.example/outbox?x=1\", timeout: 3s, concurrency: 4, "
                             "authorization: {env: PAY_TOKEN} }\n"
                             "routes:\n"
                             "  - { type: \"payments.*\", destination: payments }\n"
                             "  - { type: \"*\", destination: orders-broker }\n";

Environment environmentOf(const QMap<QString, QString> &variables)
{
    return [variables](const QString &name) -> std::optional<QString> {
        const auto found = variables.constFind(name);
        return found == variables.constEnd() ? std::nullopt : std::optional(*found);
    };
}

const QMap<QString, QString> &secrets()
{
    static const QMap<QString, QString> all{{QStringLiteral("RABBIT_PASSWORD"), QStringLiteral("hush")},
                                            {QStringLiteral("PAY_TOKEN"), QStringLiteral("Bearer hush")}};
    return all;
}

Result<Settings, SettingsErrors> parse(const QByteArray &text, const QString &folder = QStringLiteral("/nowhere"))
{
    return parseSettings(text, QStringLiteral("outbox.yaml"), folder, environmentOf(secrets()));
}

QString errorsOf(const QByteArray &text)
{
    const auto parsed = parse(text);
    return parsed ? QStringLiteral("(no error)") : textOf(parsed.error());
}

} // namespace

class SettingsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsEverything();
    void hasDefaults();
    void readsAnEmptyFile();
    void readsSecretsFromFiles();
    void readsTheStoreFromASecret();
    void namesTheFileThatIsMissing();
    void readsNatsAndKafka();
    void readsHttpAuthentication();
    void readsSecretsFromTheKeyStore();
    void makesACatalogue();
    void awaitsTheMostPatientDestination();
    void durations_data();
    void durations();
    void nearestNames();
};

void SettingsTest::readsEverything()
{
    const auto parsed = parse(wholeFile);
    QVERIFY2(parsed.ok(), qPrintable(errorsOf(wholeFile)));
    const Settings &settings = parsed.value();
    const auto *server = settings.store ? std::get_if<store::ServerAddress>(&*settings.store) : nullptr;
    QVERIFY(server);
    QCOMPARE(server->database, QStringLiteral("orders"));
    QCOMPARE(settings.worker.name, QStringLiteral("berlin-1"));
    QCOMPARE(settings.worker.batch, 200);
    QVERIFY(settings.worker.lease == seconds{45});
    QVERIFY(settings.worker.poll == seconds{5});
    QVERIFY(settings.worker.grace == seconds{5});
    QVERIFY(settings.worker.backoff.base == milliseconds{500});
    QVERIFY(settings.worker.backoff.cap == std::chrono::minutes{10});
    QCOMPARE(settings.worker.retry.attempts, 7);
    QCOMPARE(settings.destinations.size(), 2);
    const auto &amqp = std::get<destination::AmqpConfig>(settings.destinations[0].transport);
    QCOMPARE(settings.destinations[0].name.value(), QStringLiteral("orders-broker"));
    QCOMPARE(amqp.address.host, QStringLiteral("mq.example"));
    QCOMPARE(amqp.address.port, 5673);
    QCOMPARE(amqp.address.user, QStringLiteral("shop"));
    QCOMPARE(amqp.address.virtualHost, QStringLiteral("orders/eu"));
    QVERIFY(!amqp.address.tls);
    QCOMPARE(amqp.password.reveal(), QStringLiteral("hush"));
    QCOMPARE(amqp.exchange, QStringLiteral("orders"));
    QCOMPARE(amqp.concurrency, 64);
    QVERIFY(amqp.heartbeat == seconds{5});
    QCOMPARE(amqp.source, QStringLiteral("/shop"));
    Message message;
    message.type = MessageType(QStringLiteral("orders.placed"));
    message.version = SchemaVersion(3);
    QCOMPARE(amqp.routingKey.of(message), QByteArray("v3.orders.placed"));
    const auto &http = std::get<destination::HttpConfig>(settings.destinations[1].transport);
    QCOMPARE(http.url, QUrl(QStringLiteral("https://pay.example/outbox?x=1")));
    QVERIFY(http.timeout == seconds{3});
    QCOMPARE(http.concurrency, 4);
    QCOMPARE(http.authorization.reveal(), QStringLiteral("Bearer hush"));
    QCOMPARE(http.source, QStringLiteral("/outbox"));
    const QList<std::pair<QString, QString>> routes{{QStringLiteral("payments.*"), QStringLiteral("payments")},
                                                    {QStringLiteral("*"), QStringLiteral("orders-broker")}};
    QCOMPARE(settings.worker.routes, routes);
}

void SettingsTest::hasDefaults()
{
    const auto parsed =
        parse("destinations: { b: { amqp: { url: amqps://mq.example } }, h: { http: { url: http://h } } }\n");
    QVERIFY(parsed.ok());
    QVERIFY(!parsed->store);
    QCOMPARE(parsed->worker.batch, 1000);
    QVERIFY(parsed->worker.lease == seconds{30});
    QVERIFY(parsed->worker.poll == seconds{4});
    QVERIFY(parsed->worker.grace == seconds{10});
    QVERIFY(parsed->worker.backoff.base == seconds{1});
    QVERIFY(parsed->worker.backoff.cap == std::chrono::minutes{5});
    QCOMPARE(parsed->worker.retry.attempts, 10);
    const auto &amqp = std::get<destination::AmqpConfig>(parsed->destinations[0].transport);
    QVERIFY(amqp.address.tls);
    QCOMPARE(amqp.address.port, 5671);
    QCOMPARE(amqp.address.virtualHost, QStringLiteral("/"));
    QCOMPARE(amqp.address.user, QStringLiteral("guest"));
    QCOMPARE(amqp.password.reveal(), QStringLiteral("guest"));
    QCOMPARE(amqp.concurrency, 256);
    Message message;
    message.type = MessageType(QStringLiteral("a.b"));
    QCOMPARE(amqp.routingKey.of(message), QByteArray("a.b"));
    const auto &http = std::get<destination::HttpConfig>(parsed->destinations[1].transport);
    QVERIFY(http.timeout == seconds{10});
    QCOMPARE(http.concurrency, 16);
}

void SettingsTest::readsAnEmptyFile()
{
    const auto parsed = parse("# nothing said\n");
    QVERIFY(parsed.ok());
    QVERIFY(parsed->destinations.isEmpty());
    QVERIFY(parsed->worker.routes.isEmpty());
}

void SettingsTest::readsSecretsFromFiles()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("token")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("Bearer f\xc3\xbcnf\n");
    file.close();
    const QByteArray text = "destinations: { d: { http: { url: 'http://h', authorization: {file: token} } } }\n";
    const auto parsed = parse(text, folder.path());
    QVERIFY(parsed.ok());
    QCOMPARE(std::get<destination::HttpConfig>(parsed->destinations[0].transport).authorization.reveal(),
             QStringLiteral("Bearer fünf"));

    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.close();
    const auto empty = parse(text, folder.path());
    QVERIFY(!empty.ok());
    QCOMPARE(empty.error().size(), 1);
    QVERIFY(empty.error().first().problem.endsWith(QStringLiteral("token is empty")));
}

void SettingsTest::readsTheStoreFromASecret()
{
    const auto parsed = parseSettings(
        "store: {env: DATABASE_URL}\n", QStringLiteral("outbox.yaml"), QString(),
        environmentOf({{QStringLiteral("DATABASE_URL"), QStringLiteral("postgresql://me:hush@db/orders")}}));
    QVERIFY(parsed.ok());
    const auto *server = parsed->store ? std::get_if<store::ServerAddress>(&*parsed->store) : nullptr;
    QVERIFY(server);
    QCOMPARE(server->password, QStringLiteral("hush"));
}

void SettingsTest::namesTheFileThatIsMissing()
{
    const auto loaded = loadSettings(QStringLiteral("/nowhere/outbox.yaml"));
    QVERIFY(!loaded.ok());
    QVERIFY(textOf(loaded.error()).startsWith(QStringLiteral("/nowhere/outbox.yaml: the file cannot be read: ")));

    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("outbox.yaml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("worker: { name: here }\n");
    file.close();
    const auto there = loadSettings(file.fileName());
    QVERIFY(there.ok());
    QCOMPARE(there->worker.name, QStringLiteral("here"));
}

void SettingsTest::readsNatsAndKafka()
{
    const auto parsed = parse("destinations:\n"
                              "  n: { nats: { url: 'tls://shop@nats.example:4333', password: {env: PAY_TOKEN}, "
                              "subject: 'shop.{type}', concurrency: 8, heartbeat: 3s, source: /shop } }\n"
                              "  o: { nats: { url: 'nats://h', token: {env: PAY_TOKEN} } }\n"
                              "  k: { kafka: { brokers: 'a:9092, b:9093', topic: 'shop.{version}', tls: true, "
                              "user: shop, password: {env: PAY_TOKEN}, mechanism: scram-sha-512, concurrency: 9, "
                              "timeout: 20s, linger: 0ms, largest_message: 5000, source: /shop } }\n"
                              "  l: { kafka: { brokers: 'a:9092' } }\n");
    QVERIFY2(parsed.ok(), parsed.ok() ? "" : qPrintable(textOf(parsed.error())));
    Message message;
    message.type = MessageType(QStringLiteral("orders.placed"));
    message.version = SchemaVersion(3);
    const auto &nats = std::get<destination::NatsConfig>(parsed->destinations[0].transport);
    QVERIFY(nats.address.tls);
    QCOMPARE(nats.address.user, QStringLiteral("shop"));
    QCOMPARE(nats.address.host, QStringLiteral("nats.example"));
    QCOMPARE(nats.address.port, 4333);
    QCOMPARE(nats.password.reveal(), QStringLiteral("Bearer hush"));
    QCOMPARE(nats.subject.of(message), QByteArray("shop.orders.placed"));
    QCOMPARE(nats.concurrency, 8);
    QVERIFY(nats.heartbeat == seconds{3});
    QCOMPARE(nats.source, QStringLiteral("/shop"));
    const auto &other = std::get<destination::NatsConfig>(parsed->destinations[1].transport);
    QCOMPARE(other.token.reveal(), QStringLiteral("Bearer hush"));
    QCOMPARE(other.address.port, 4222);
    QCOMPARE(other.concurrency, 256);
    QCOMPARE(other.subject.of(message), QByteArray("orders.placed"));
    const auto &kafka = std::get<destination::KafkaConfig>(parsed->destinations[2].transport);
    QCOMPARE(kafka.brokers, QStringLiteral("a:9092, b:9093"));
    QCOMPARE(kafka.topic.of(message), QByteArray("shop.3"));
    QVERIFY(kafka.tls);
    QCOMPARE(kafka.user, QStringLiteral("shop"));
    QCOMPARE(kafka.password.reveal(), QStringLiteral("Bearer hush"));
    QVERIFY(kafka.mechanism == destination::KafkaMechanism::scram_sha_512);
    QCOMPARE(kafka.concurrency, 9);
    QVERIFY(kafka.timeout == seconds{20});
    QVERIFY(kafka.linger == milliseconds{0});
    QCOMPARE(kafka.largestMessage, 5000);
    QCOMPARE(kafka.source, QStringLiteral("/shop"));
    const auto &plain = std::get<destination::KafkaConfig>(parsed->destinations[3].transport);
    QVERIFY(!plain.tls);
    QCOMPARE(plain.concurrency, 1000);
    QVERIFY(plain.timeout == seconds{10});
}

void SettingsTest::readsHttpAuthentication()
{
    const test::TestCertificate certificate;
    const auto text = QStringLiteral("destinations:\n"
                                     "  d: { http: { url: 'https://h', bearer: {env: PAY_TOKEN}, signing_key: {env: "
                                     "SIGNING_KEY}, client_certificate: '%1', client_key: '%2' } }\n");
    const Environment environment =
        environmentOf({{QStringLiteral("PAY_TOKEN"), QStringLiteral("t0ken")},
                       {QStringLiteral("SIGNING_KEY"), QStringLiteral("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")}});
    const auto read = [&](const QString &key) {
        return parseSettings(text.arg(certificate.file(), key).toUtf8(), QStringLiteral("outbox.yaml"),
                             QStringLiteral("/nowhere"), environment);
    };
    const auto parsed = read(certificate.keyFile());
    QVERIFY2(parsed.ok(), parsed.ok() ? "" : qPrintable(textOf(parsed.error())));
    const auto &http = std::get<destination::HttpConfig>(parsed->destinations[0].transport);
    QCOMPARE(http.bearer.reveal(), QStringLiteral("t0ken"));
    QVERIFY(!http.signingKey.isEmpty());
    QCOMPARE(http.clientCertificate.chain.size(), 1);
    QVERIFY(!http.clientCertificate.key.isNull());
    const auto wrong = read(certificate.file()); // where the key is due
    QVERIFY(!wrong.ok());
    QVERIFY(wrong.error().first().problem.startsWith(QStringLiteral("no private key")));
}

void SettingsTest::readsSecretsFromTheKeyStore()
{
    const KeyStore keyStore = [](const QString &name) -> Result<destination::Secret, QString> {
        return destination::Secret(QStringLiteral("secret of ") + name);
    };
    const auto parsed =
        parseSettings("destinations: { d: { http: { url: 'http://h', authorization: {keychain: pay} } } }",
                      QStringLiteral("outbox.yaml"), QString(), environmentOf({}), keyStore);
    QVERIFY(parsed.ok());
    QCOMPARE(std::get<destination::HttpConfig>(parsed->destinations[0].transport).authorization.reveal(),
             QStringLiteral("secret of pay"));
}

void SettingsTest::makesACatalogue()
{
    const auto parsed = parse(QByteArray(wholeFile).replace("routes:\n", "  stream: { nats: { url: 'nats://h' } }\n"
                                                                         "  log: { kafka: { brokers: 'h:1' } }\n"
                                                                         "routes:\n"));
    QVERIFY(parsed.ok());
    const auto catalogue = catalogueOf(parsed.value());
    QCOMPARE(catalogue.size(), std::size_t{4});
    struct Nobody : delivery::OutcomeSink {
        void settled(delivery::Ticket, delivery::DeliveryOutcome) override {}
    } sink;
    for (std::size_t i = 0; i < catalogue.size(); ++i) {
        QCOMPARE(catalogue[i].name, parsed->destinations[static_cast<qsizetype>(i)].name);
        const auto built = catalogue[i].make(sink);
        QVERIFY(built);
        QCOMPARE(built->concurrency(), catalogue[i].concurrency);
    }
    QCOMPARE(catalogue[0].concurrency, 64);
    QCOMPARE(catalogue[1].concurrency, 4);
}

void SettingsTest::awaitsTheMostPatientDestination()
{
    const auto worker = [](const QByteArray &text) {
        const auto parsed = parse(text);
        return parsed ? workerSettingsOf(parsed.value()) : dispatch::WorkerSettings();
    };
    const auto usual = dispatch::WorkerSettings().answer;
    QVERIFY(worker(wholeFile).answer == usual);
    QCOMPARE(worker(wholeFile).name, QStringLiteral("berlin-1"));
    const auto patient = worker("destinations:\n"
                                "  quick: { http: { url: 'http://h', timeout: 1s } }\n"
                                "  slow: { http: { url: 'http://h', timeout: 10m } }\n"
                                "  broker: { amqp: { url: amqps://mq.example } }\n");
    QVERIFY(patient.answer == std::chrono::minutes{10});
    QCOMPARE(dispatch::validate(patient), QString());
}

void SettingsTest::durations_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("wanted"); ///< milliseconds; -1: none
    for (const auto &[text, wanted] : std::initializer_list<std::pair<const char *, qint64>>{{"0s", 0},
                                                                                             {"250ms", 250},
                                                                                             {"2s", 2000},
                                                                                             {"3m", 180000},
                                                                                             {"1h", 3600000},
                                                                                             {"2d", 172800000},
                                                                                             {"", -1},
                                                                                             {"5", -1},
                                                                                             {"s", -1},
                                                                                             {"-1s", -1},
                                                                                             {"1.5s", -1},
                                                                                             {"1 s", -1},
                                                                                             {"1S", -1},
                                                                                             {"1s\n", -1},
                                                                                             {"1w", -1},
                                                                                             {"1e3s", -1}})
        QTest::newRow(text) << QString::fromUtf8(text) << wanted;
}

void SettingsTest::durations()
{
    QFETCH(const QString, text);
    QFETCH(const qint64, wanted);
    const auto parsed = parseDuration(text);
    QCOMPARE(parsed ? qint64{parsed->count()} : qint64{-1}, wanted);
    if (parsed)
        QCOMPARE(durationText(*parsed), text);
}

void SettingsTest::nearestNames()
{
    const QStringList known{QStringLiteral("timeout"), QStringLiteral("url"), QStringLiteral("concurrency")};
    QCOMPARE(nearest(QStringLiteral("timeuot"), known), QStringLiteral("timeout"));
    QCOMPARE(nearest(QStringLiteral("Timeout"), known), QStringLiteral("timeout"));
    QCOMPARE(nearest(QStringLiteral("concurency"), known), QStringLiteral("concurrency"));
    QCOMPARE(nearest(QStringLiteral("uri"), known), QStringLiteral("url"));
    QCOMPARE(nearest(QStringLiteral("abc"), known), QString());
}

QTEST_GUILESS_MAIN(SettingsTest)
#include "settings_test.moc"
