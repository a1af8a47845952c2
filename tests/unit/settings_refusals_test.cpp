// SPDX-License-Identifier: Apache-2.0
#include "settings/load.h"

#include <QtTest>

using namespace outbox;
using namespace outbox::app;

namespace {

QString errorsOf(const QByteArray &text)
{
    const Environment environment = [](const QString &name) -> std::optional<QString> {
        if (name == QStringLiteral("HUSH"))
            return QStringLiteral("hush");
        if (name == QStringLiteral("TWO_LINES"))
            return QStringLiteral("hush\r\nX-Other: hush");
        return std::nullopt;
    };
    const KeyStore nothingKept = [](const QString &) { return QStringLiteral("nothing is kept here"); };
    const auto parsed =
        parseSettings(text, QStringLiteral("outbox.yaml"), QStringLiteral("/nowhere"), environment, nothingKept);
    return parsed ? QStringLiteral("(no error)") : textOf(parsed.error());
}

} // namespace

/// Every refusal names file, line, column, key and what was expected.
class SettingsRefusalsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refuses_data();
    void refuses();
    void tellsAllErrorsTogether();
    void neverRepeatsASecret();
};

void SettingsRefusalsTest::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error"); ///< how it begins; one line for each of its own

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
        "outbox.yaml:1:18: worker.batch: expected a whole number from 1 to 5000, found 'many'");
    row("number too large", "worker: { batch: 5001 }\n",
        "outbox.yaml:1:18: worker.batch: expected a whole number from 1 to 5000, found '5001'");
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
        "outbox.yaml:2:3: destinations.d: expected exactly one transport: amqp, http, kafka or nats");
    row("two transports", "destinations:\n  d:\n    http: { url: http://h }\n    amqp: { url: amqp://h }\n",
        "outbox.yaml:2:3: destinations.d: expected exactly one transport: amqp, http, kafka or nats");
    row("unknown transport", "destinations:\n  d:\n    htpp: { url: http://h }\n",
        "outbox.yaml:3:5: destinations.d.htpp: unknown key (did you mean 'http'?); expected one of amqp, http, kafka, "
        "nats");
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
        "outbox.yaml:1:22: destinations.d.amqp.password: missing; expected {env: NAME}, {file: PATH} or {keychain: "
        "NAME} for the user "
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
        "outbox.yaml:1:62: destinations.d.http.authorization: expected {env: NAME}, {file: PATH} or {keychain: NAME}; "
        "a "
        "secret in clear is refused");
    row("secret of both kinds",
        "destinations: { d: { http: { url: 'http://h', authorization: {env: A, file: b} } } }\n",
        "outbox.yaml:1:62: destinations.d.http.authorization: expected exactly one of {env: NAME}, {file: PATH} "
        "and {keychain: NAME}");
    row("secret of a strange kind", "destinations: { d: { http: { url: 'http://h', authorization: {vault: A} } } }\n",
        "outbox.yaml:1:63: destinations.d.http.authorization.vault: unknown key; expected one of env, file, "
        "keychain");
    row("no such variable", "destinations: { d: { http: { url: 'http://h', authorization: {env: TOKEN} } } }\n",
        "outbox.yaml:1:68: destinations.d.http.authorization.env: the environment variable TOKEN is not set");
    row("no such secret file", "destinations: { d: { http: { url: 'http://h', authorization: {file: token} } } }\n",
        "outbox.yaml:1:69: destinations.d.http.authorization.file: there is no file /nowhere/token");
    row("no such secret in the key store",
        "destinations: { d: { http: { url: 'http://h', bearer: {keychain: pay} } } }\n",
        "outbox.yaml:1:66: destinations.d.http.bearer.keychain: no secret 'pay': nothing is kept here");
    row("keychain name is a list", "destinations: { d: { http: { url: 'http://h', bearer: {keychain: [a]} } } }\n",
        "outbox.yaml:1:66: destinations.d.http.bearer.keychain: expected a text, found a list");
    row("bearer in clear", "destinations: { d: { http: { url: 'http://h', bearer: hush } } }\n",
        "outbox.yaml:1:55: destinations.d.http.bearer: expected {env: NAME}, {file: PATH} or {keychain: NAME}; a ");
    row("bearer with a line break", "destinations: { d: { http: { url: 'http://h', bearer: {env: TWO_LINES} } } }\n",
        "outbox.yaml:1:55: destinations.d.http.bearer: expected one line without control characters in the secret");
    row("bearer beside authorization",
        "destinations: { d: { http: { url: 'http://h', bearer: {env: HUSH}, authorization: {env: HUSH} } } }\n",
        "outbox.yaml:1:55: destinations.d.http.bearer: expected only one of authorization and bearer");
    row("signing key too short", "destinations: { d: { http: { url: 'http://h', signing_key: {env: HUSH} } } }\n",
        "outbox.yaml:1:60: destinations.d.http.signing_key: expected a key of 24 to 64 bytes");
    row("certificate without key", "destinations: { d: { http: { url: 'https://h', client_certificate: a.pem } } }\n",
        "outbox.yaml:1:22: destinations.d.http.client_key: missing; expected the PEM file of the certificate's "
        "private key\noutbox.yaml:1:68: destinations.d.http.client_certificate: there is no file /nowhere/a.pem");
    row("nats without url", "destinations: { d: { nats: {} } }\n",
        "outbox.yaml:1:22: destinations.d.nats.url: missing; expected a URL such as nats://user@host:4222");
    row("nats unknown key", "destinations: { d: { nats: { url: 'nats://h', subjekt: a } } }\n",
        "outbox.yaml:1:47: destinations.d.nats.subjekt: unknown key (did you mean 'subject'?); expected one of url, "
        "password, token, subject, concurrency, heartbeat, source, ca_file");
    row("nats url of another scheme", "destinations: { d: { nats: { url: 'amqp://h' } } }\n",
        "outbox.yaml:1:35: destinations.d.nats.url: expected the scheme nats or tls, not 'amqp'");
    row("nats password in clear", "destinations: { d: { nats: { url: 'nats://me:hush@h' } } }\n",
        "outbox.yaml:1:35: destinations.d.nats.url: a password in clear is refused; give it as ");
    row("nats user without password", "destinations: { d: { nats: { url: 'nats://me@h' } } }\n",
        "outbox.yaml:1:22: destinations.d.nats.password: missing; expected {env: NAME}, {file: PATH} or ");
    row("nats password without user", "destinations: { d: { nats: { url: 'nats://h', password: {env: HUSH} } } }\n",
        "outbox.yaml:1:57: destinations.d.nats.password: expected the user that it belongs to in the URL");
    row("nats token beside a user", "destinations: { d: { nats: { url: 'nats://me@h', token: {env: HUSH} } } }\n",
        "outbox.yaml:1:57: destinations.d.nats.token: expected no user in the URL beside a token");
    row("nats subject", "destinations: { d: { nats: { url: 'nats://h', subject: '{typ}' } } }\n",
        "outbox.yaml:1:56: destinations.d.nats.subject: unknown placeholder '{typ}'");
    row("nats concurrency", "destinations: { d: { nats: { url: 'nats://h', concurrency: many } } }\n",
        "outbox.yaml:1:60: destinations.d.nats.concurrency: expected a whole number from 1 to 10000, found 'many'");
    row("kafka without brokers", "destinations: { d: { kafka: {} } }\n",
        "outbox.yaml:1:22: destinations.d.kafka.brokers: missing; expected host:port, several with commas between");
    row("kafka unknown key", "destinations: { d: { kafka: { brokers: 'h:1', topik: a } } }\n",
        "outbox.yaml:1:47: destinations.d.kafka.topik: unknown key (did you mean 'topic'?); expected one of brokers, ");
    row("kafka brokers", "destinations: { d: { kafka: { brokers: 'me:hush@h:1' } } }\n",
        "outbox.yaml:1:40: destinations.d.kafka.brokers: expected host:port, several with commas between");
    row("kafka tls", "destinations: { d: { kafka: { brokers: 'h:1', tls: maybe } } }\n",
        "outbox.yaml:1:52: destinations.d.kafka.tls: expected true or false, found 'maybe'");
    row("kafka mechanism",
        "destinations: { d: { kafka: { brokers: 'h:1', user: a, password: {env: HUSH}, mechanism: md5 } } }\n",
        "outbox.yaml:1:90: destinations.d.kafka.mechanism: expected plain or scram-sha-256 or scram-sha-512, found "
        "'md5'");
    row("kafka user without password", "destinations: { d: { kafka: { brokers: 'h:1', user: me } } }\n",
        "outbox.yaml:1:22: destinations.d.kafka.password: missing; expected {env: NAME}, {file: PATH} or ");
    row("kafka password without user", "destinations: { d: { kafka: { brokers: 'h:1', password: {env: HUSH} } } }\n",
        "outbox.yaml:1:57: destinations.d.kafka.password: expected the key 'user' beside it");
    row("kafka roots without tls", "destinations: { d: { kafka: { brokers: 'h:1', ca_file: /etc/passwd } } }\n",
        "outbox.yaml:1:56: destinations.d.kafka.ca_file: expected 'tls: true' beside it");
    row("kafka timeout", "destinations: { d: { kafka: { brokers: 'h:1', timeout: 10 } } }\n",
        "outbox.yaml:1:56: destinations.d.kafka.timeout: expected a duration from 1s to 10m");
    row("kafka topic", "destinations: { d: { kafka: { brokers: 'h:1', topic: 'a}' } } }\n",
        "outbox.yaml:1:54: destinations.d.kafka.topic: a '}' without a '{' before it");
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

void SettingsRefusalsTest::refuses()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, error);
    const QString found = errorsOf(text);
    QVERIFY2(found.startsWith(error), qPrintable(found));
    QVERIFY2(found.count(u'\n') == error.count(u'\n'), qPrintable(found));
    QVERIFY2(!found.contains(QStringLiteral("hush")), qPrintable(found));
}

void SettingsRefusalsTest::tellsAllErrorsTogether()
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

void SettingsRefusalsTest::neverRepeatsASecret()
{
    const QString errors = errorsOf("store: postgresql://me:hush@db/orders?nonsense\n"
                                    "destinations:\n"
                                    "  a: { amqp: { url: 'amqp://me:hush@h', password: hush } }\n"
                                    "  b: { http: { url: 'https://me:hush@h/', authorization: [hush] } }\n"
                                    "  c: { http: { url: 'https://me:hush@', authorization: Bearer hush } }\n"
                                    "  d: { nats: { url: 'nats://me:hush@h', token: hush } }\n"
                                    "  e: { kafka: { brokers: 'me:hush@h:1', user: me, password: {x: hush} } }\n"
                                    "  f: { http: { url: 'http://h', bearer: hush, signing_key: {env: HUSH} } }\n");
    QCOMPARE(errors.split(u'\n').size(), 13);
    QVERIFY2(!errors.contains(QStringLiteral("hush")), qPrintable(errors));
}

QTEST_GUILESS_MAIN(SettingsRefusalsTest)
#include "settings_refusals_test.moc"
