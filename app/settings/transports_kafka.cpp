// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/transports.h"

#include <QRegularExpression>

namespace outbox::app {

using destination::KafkaConfig;
using destination::KafkaMechanism;

namespace {

const auto brokersKey = QStringLiteral("brokers");
const auto topicKey = QStringLiteral("topic");
const auto tlsKey = QStringLiteral("tls");
const auto caFileKey = QStringLiteral("ca_file");
const auto userKey = QStringLiteral("user");
const auto passwordKey = QStringLiteral("password");
const auto mechanismKey = QStringLiteral("mechanism");
const auto concurrencyKey = QStringLiteral("concurrency");
const auto timeoutKey = QStringLiteral("timeout");
const auto lingerKey = QStringLiteral("linger");
const auto largestKey = QStringLiteral("largest_message");
const auto sourceKey = QStringLiteral("source");

void readBrokers(Section &section, KafkaConfig &config)
{
    static const QRegularExpression form(
        QStringLiteral("\\A[^\\s,:/@]+:[0-9]{1,5}(\\s*,\\s*[^\\s,:/@]+:[0-9]{1,5})*\\z"));
    const auto expected = QStringLiteral("host:port, several with commas between");
    section.require(brokersKey, expected);
    const auto text = section.text(brokersKey);
    if (text && form.match(*text).hasMatch())
        config.brokers = *text;
    else if (text) // it may hold a password where none belongs: not repeated
        section.fail(brokersKey, QStringLiteral("expected ") + expected);
}

void readLogin(Section &section, KafkaConfig &config)
{
    const QMap<QString, KafkaMechanism> mechanisms{{QStringLiteral("plain"), KafkaMechanism::plain},
                                                   {QStringLiteral("scram-sha-256"), KafkaMechanism::scram_sha_256},
                                                   {QStringLiteral("scram-sha-512"), KafkaMechanism::scram_sha_512}};
    config.user = section.text(userKey).value_or(QString());
    config.password = section.secret(passwordKey).value_or(destination::Secret());
    if (section.has(userKey))
        section.require(
            passwordKey,
            QStringLiteral("{env: NAME}, {file: PATH} or {keychain: NAME} for the user '%1'").arg(config.user));
    for (const auto &key : {passwordKey, mechanismKey})
        if (section.has(key) && !section.has(userKey))
            section.fail(key, QStringLiteral("expected the key 'user' beside it"));
    if (const auto chosen = section.choice(mechanismKey, mechanisms.keys()))
        config.mechanism = mechanisms.value(*chosen);
}

} // namespace

KafkaConfig readKafka(const Section &transport)
{
    Section section = transport.section(QStringLiteral("kafka"),
                                        {brokersKey, topicKey, tlsKey, caFileKey, userKey, passwordKey, mechanismKey,
                                         concurrencyKey, timeoutKey, lingerKey, largestKey, sourceKey});
    KafkaConfig config;
    readBrokers(section, config);
    readLogin(section, config);
    config.topic = readPattern(section, topicKey, config.topic);
    config.tls = section.flag(tlsKey).value_or(config.tls);
    config.caFile = section.existingFile(caFileKey).value_or(QString());
    if (section.has(caFileKey) && !config.tls)
        section.fail(caFileKey, QStringLiteral("expected 'tls: true' beside it"));
    config.concurrency = section.number(concurrencyKey, 1, 10000).value_or(config.concurrency);
    config.timeout = section.duration(timeoutKey, seconds{1}, std::chrono::minutes{10}).value_or(config.timeout);
    config.linger = section.duration(lingerKey, milliseconds{0}, seconds{1}).value_or(config.linger);
    config.largestMessage = section.number(largestKey, 1000, 100'000'000).value_or(config.largestMessage);
    config.source = readSource(section, config.source);
    return config;
}

} // namespace outbox::app
