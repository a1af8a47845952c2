// SPDX-License-Identifier: Apache-2.0
#include "catalogue/catalogue.h"
#include "settings/duration.h"
#include "settings/load.h"
#include "settings/spelling.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace outbox;
using namespace outbox::app;

namespace {

const QByteArray wholeFile = "store: postgresql:///orders\n"
                             "worker:  { name: berlin-1, batch: 200, lease: 45s, poll: 2s, grace: 5s }\n"
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
    void refuses_data();
    void refuses();
    void tellsAllErrorsTogether();
    void neverRepeatsASecret();
    void readsSecretsFromFiles();
    void readsTheStoreFromASecret();
    void namesTheFileThatIsMissing();
    void makesACatalogue();
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
    QVERIFY(settings.worker.poll == seconds{2});
    QVERIFY(settings.worker.grace == seconds{5});
    QVERIFY(settings.backoff.base == milliseconds{500});
    QVERIFY(settings.backoff.cap == std::chrono::minutes{10});
    QCOMPARE(settings.retry.attempts, 7);
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
    QCOMPARE(settings.routes.size(), 2);
    QCOMPARE(settings.routes[0].type, QStringLiteral("payments.*"));
    QCOMPARE(settings.routes[1].destination.value(), QStringLiteral("orders-broker"));
}

void SettingsTest::hasDefaults()
{
    const auto parsed =
        parse("destinations: { b: { amqp: { url: amqps://mq.example } }, h: { http: { url: http://h } } }\n");
    QVERIFY(parsed.ok());
    QVERIFY(!parsed->store);
    QCOMPARE(parsed->worker.batch, 500);
    QVERIFY(parsed->worker.lease == seconds{30});
    QVERIFY(parsed->worker.poll == seconds{4});
    QVERIFY(parsed->worker.grace == seconds{10});
    QVERIFY(parsed->backoff.base == seconds{1});
    QVERIFY(parsed->backoff.cap == std::chrono::minutes{5});
    QCOMPARE(parsed->retry.attempts, 10);
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
    QVERIFY(parsed->routes.isEmpty());
}

void SettingsTest::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error"); ///< how the only line begins

    const auto row = [](const char *name, const char *text, const char *error) {
        QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(error);
    };
    row("broken YAML", "worker: { batch: 5\n", "outbox.yaml:2:1: not YAML: ");
    row("not a mapping", "- a\n- b\n",
        "outbox.yaml:1:1: expected a mapping with the keys store, worker, retry, "
        "destinations, routes, found a list");
    row("unknown section", "worker: {}\nretrys: {}\n",
        "outbox.yaml:2:1: retrys: unknown key (did you mean 'retry'?); expected one of store, worker, retry, "
        "destinations, "
        "routes");
    row("unknown key", "worker:\n  batch: 5\n  lasee: 30s\n",
        "outbox.yaml:3:3: worker.lasee: unknown key (did you mean 'lease'?); expected one of name, batch, lease, poll, "
        "grace");
    row("unknown key, nothing near", "retry: { zebra: 1 }\n",
        "outbox.yaml:1:10: retry.zebra: unknown key; expected one of base, cap, attempts");
    row("key given twice", "retry:\n  attempts: 1\n  attempts: 2\n",
        "outbox.yaml:3:3: retry.attempts: given twice, first in line 2");
    row("section is a list", "worker: [1]\n",
        "outbox.yaml:1:9: worker: expected a mapping with the keys name, batch, ");
    row("section is empty", "retry:\n",
        "outbox.yaml:1:1: retry: expected a mapping with the keys base, cap, attempts, found "
        "nothing");
    row("text where a number is due", "worker: { batch: many }\n",
        "outbox.yaml:1:18: worker.batch: expected a whole number from 1 to 10000, found 'many'");
    row("number too large", "worker: { batch: 10001 }\n",
        "outbox.yaml:1:18: worker.batch: expected a whole number from 1 to 10000, found '10001'");
    row("mapping where a text is due", "worker: { name: {a: b} }\n",
        "outbox.yaml:1:17: worker.name: expected a text, found a mapping");
    row("duration without unit", "worker: { lease: 30 }\n",
        "outbox.yaml:1:18: worker.lease: expected a duration from 2s to 1h, a number with ms, s, m, h or d, found "
        "'30'");
    row("duration with a strange unit", "retry: { base: 3 parsecs }\n",
        "outbox.yaml:1:16: retry.base: expected a duration from 1ms to 7d, a number with ms, s, m, h or d, found '3 "
        "parsecs'");
    row("lease too short", "worker: { lease: 1s }\n",
        "outbox.yaml:1:18: worker.lease: expected a duration from 2s to 1h");
    row("cap below base", "retry: { base: 10s, cap: 5s }\n",
        "outbox.yaml:1:26: retry.cap: expected at least the base, 10s");
    row("no attempts", "retry: { attempts: 0 }\n",
        "outbox.yaml:1:20: retry.attempts: expected a whole number from 1 to 1000");
    row("store not understood", "store: mysql://x/y\n", "outbox.yaml:1:8: store: ");
    row("store with a password in clear", "store: postgresql://me:hush@db/orders\n",
        "outbox.yaml:1:8: store: a password in clear is refused");
    row("destination name", "destinations:\n  \"a b\":\n    http: { url: http://h }\n",
        "outbox.yaml:2:3: destinations.a b: expected a name of at most 63 letters, digits, dots and dashes");
    row("no transport", "destinations:\n  d: {}\n",
        "outbox.yaml:2:3: destinations.d: expected exactly one transport: amqp or http");
    row("two transports", "destinations:\n  d:\n    http: { url: http://h }\n    amqp: { url: amqp://h }\n",
        "outbox.yaml:2:3: destinations.d: expected exactly one transport: amqp or http");
    row("unknown transport", "destinations:\n  d:\n    htpp: { url: http://h }\n",
        "outbox.yaml:3:5: destinations.d.htpp: unknown key (did you mean 'http'?); expected one of amqp, http");
    row("missing url", "destinations:\n  d:\n    http: { timeout: 1s }\n",
        "outbox.yaml:3:5: destinations.d.http.url: missing; expected an absolute URL");
    row("missing broker url", "destinations: { d: { amqp: {} } }\n",
        "outbox.yaml:1:22: destinations.d.amqp.url: missing; expected a URL such as amqp://user@host:5672/%2f");
    row("relative url", "destinations: { d: { http: { url: /outbox } } }\n",
        "outbox.yaml:1:35: destinations.d.http.url: expected an absolute URL such as https://pay.example/outbox");
    row("url of another scheme", "destinations: { d: { http: { url: ftp://h/x } } }\n",
        "outbox.yaml:1:35: destinations.d.http.url: expected an absolute URL such as https://pay.example/outbox, found "
        "the "
        "scheme 'ftp'");
    row("url with a password", "destinations: { d: { http: { url: 'https://me:hush@h/x' } } }\n",
        "outbox.yaml:1:35: destinations.d.http.url: a user or password in the URL is refused");
    row("broker url of another scheme", "destinations: { d: { amqp: { url: 'http://h' } } }\n",
        "outbox.yaml:1:35: destinations.d.amqp.url: expected the scheme amqp or amqps, not 'http'");
    row("broker url with a password", "destinations: { d: { amqp: { url: 'amqp://me:hush@h' } } }\n",
        "outbox.yaml:1:35: destinations.d.amqp.url: a password in clear is refused; give it as ");
    row("broker user without password", "destinations: { d: { amqp: { url: 'amqp://me@h' } } }\n",
        "outbox.yaml:1:22: destinations.d.amqp.password: missing; expected {env: NAME} or {file: PATH} for the user "
        "'me'");
    row("unknown placeholder", "destinations: { d: { amqp: { url: 'amqp://h', routing_key: '{typ}' } } }\n",
        "outbox.yaml:1:60: destinations.d.amqp.routing_key: unknown placeholder '{typ}'; expected {type}, {version}, "
        "{tenant} "
        "or {kind}");
    row("open placeholder", "destinations: { d: { amqp: { url: 'amqp://h', routing_key: 'a{type' } } }\n",
        "outbox.yaml:1:60: destinations.d.amqp.routing_key: a '{' without a '}' behind it");
    row("http concurrency", "destinations: { d: { http: { url: 'http://h', concurrency: 0 } } }\n",
        "outbox.yaml:1:60: destinations.d.http.concurrency: expected a whole number from 1 to 1000, found '0'");
    row("source", "destinations: { d: { http: { url: 'http://h', source: 'a b' } } }\n",
        "outbox.yaml:1:55: destinations.d.http.source: expected a URI reference such as /shop/orders, found 'a b'");
    row("no such ca file", "destinations: { d: { http: { url: 'https://h', ca_file: roots.pem } } }\n",
        "outbox.yaml:1:57: destinations.d.http.ca_file: there is no file /nowhere/roots.pem");
    row("secret in clear", "destinations: { d: { http: { url: 'http://h', authorization: hush } } }\n",
        "outbox.yaml:1:62: destinations.d.http.authorization: expected {env: NAME} or {file: PATH}; a secret in clear "
        "is "
        "refused");
    row("secret of both kinds",
        "destinations: { d: { http: { url: 'http://h', authorization: {env: A, file: b} } } }\n",
        "outbox.yaml:1:62: destinations.d.http.authorization: expected exactly one of {env: NAME} and {file: PATH}");
    row("secret of a strange kind", "destinations: { d: { http: { url: 'http://h', authorization: {vault: A} } } }\n",
        "outbox.yaml:1:63: destinations.d.http.authorization.vault: unknown key; expected one of env, file");
    row("no such variable", "destinations: { d: { http: { url: 'http://h', authorization: {env: TOKEN} } } }\n",
        "outbox.yaml:1:68: destinations.d.http.authorization.env: the environment variable TOKEN is not set");
    row("no such secret file", "destinations: { d: { http: { url: 'http://h', authorization: {file: token} } } }\n",
        "outbox.yaml:1:69: destinations.d.http.authorization.file: there is no file /nowhere/token");
    row("routes are no list", "routes: { type: a }\n",
        "outbox.yaml:1:9: routes: expected a list of {type: ..., destination: ...}");
    row("route is a text", "routes: [ a ]\n",
        "outbox.yaml:1:11: routes[0]: expected a mapping with the keys type, "
        "destination, found 'a'");
    const QByteArray head = "destinations: { orders: { http: { url: 'http://h' } } }\nroutes:\n";
    const auto route = [&](const char *name, const char *text, const char *error) {
        QTest::newRow(name) << head + text << QString::fromUtf8(error);
    };
    route("route without type", "  - { destination: orders }\n",
          "outbox.yaml:3:5: routes[0].type: missing; expected a message type, 'prefix.*' or '*'");
    route("route without destination", "  - { type: a }\n",
          "outbox.yaml:3:5: routes[0].destination: missing; expected the name of a destination");
    route("route to nowhere", "  - { type: a, destination: order }\n",
          "outbox.yaml:3:29: routes[0].destination: there is no destination 'order' (did you mean 'orders'?)");
    route("route twice", "  - { type: a, destination: orders }\n  - { type: a, destination: orders }\n",
          "outbox.yaml:4:13: routes[1].type: 'a' has a route already, in line 3");
    route("star in the middle", "  - { type: 'a.*.b', destination: orders }\n",
          "outbox.yaml:3:13: routes[0].type: expected a message type, 'prefix.*' or '*', found 'a.*.b'");
    route("empty type", "  - { type: '', destination: orders }\n",
          "outbox.yaml:3:13: routes[0].type: expected a message type, 'prefix.*' or '*', found ''");
}

// Configuration is refused with file, line and what was expected
void SettingsTest::refuses()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, error);
    const QString found = errorsOf(text);
    QVERIFY2(found.startsWith(error), qPrintable(found));
    QVERIFY2(!found.contains(u'\n'), qPrintable(found));
}

void SettingsTest::tellsAllErrorsTogether()
{
    const QStringList lines = errorsOf("worker: { batch: x }\n"
                                       "destinations:\n"
                                       "  d: { http: { uri: 'http://h' } }\n"
                                       "routes:\n"
                                       "  - { type: a, destination: c }\n"
                                       "  - { type: '* ', destination: d }\n")
                                  .split(u'\n');
    QCOMPARE(lines.size(), 5);
    const QStringList starts{
        QStringLiteral("outbox.yaml:1:18: worker.batch"),
        QStringLiteral("outbox.yaml:3:8: destinations.d.http.url: missing"),
        QStringLiteral("outbox.yaml:3:16: destinations.d.http.uri: unknown key (did you mean 'url'?)"),
        QStringLiteral("outbox.yaml:5:29: routes[0].destination: there is no destination 'c'"),
        QStringLiteral("outbox.yaml:6:13: routes[1].type")};
    for (int i = 0; i < starts.size(); ++i)
        QVERIFY2(lines[i].startsWith(starts[i]), qPrintable(lines[i]));
}

void SettingsTest::neverRepeatsASecret()
{
    const QString errors = errorsOf("store: postgresql://me:hush@db/orders?nonsense\n"
                                    "destinations:\n"
                                    "  a: { amqp: { url: 'amqp://me:hush@h', password: hush } }\n"
                                    "  b: { http: { url: 'https://me:hush@h/', authorization: [hush] } }\n"
                                    "  c: { http: { url: 'https://me:hush@', authorization: Bearer hush } }\n");
    QCOMPARE(errors.split(u'\n').size(), 7);
    QVERIFY2(!errors.contains(QStringLiteral("hush")), qPrintable(errors));
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

void SettingsTest::makesACatalogue()
{
    const auto parsed = parse(wholeFile);
    QVERIFY(parsed.ok());
    const auto catalogue = catalogueOf(parsed.value());
    QCOMPARE(catalogue.size(), std::size_t{2});
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
