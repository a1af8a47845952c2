// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/transports.h"

namespace outbox::app {

using destination::AmqpConfig;

namespace {

const auto urlKey = QStringLiteral("url");
const auto passwordKey = QStringLiteral("password");
const auto exchangeKey = QStringLiteral("exchange");
const auto routingKeyKey = QStringLiteral("routing_key");
const auto concurrencyKey = QStringLiteral("concurrency");
const auto heartbeatKey = QStringLiteral("heartbeat");
const auto sourceKey = QStringLiteral("source");
const auto caFileKey = QStringLiteral("ca_file");

void readAddress(Section &section, AmqpConfig &config)
{
    config.password = section.secret(passwordKey).value_or(destination::Secret());
    const auto text = section.text(urlKey);
    if (!text)
        return;
    auto address = destination::parseAmqpAddress(*text);
    if (!address) {
        section.fail(urlKey, address.error());
        return;
    }
    config.address = std::move(address).value();
    if (section.has(passwordKey))
        return;
    if (config.address.user == QStringLiteral("guest"))
        config.password = destination::Secret(QStringLiteral("guest")); // a fresh broker's own, from this computer only
    else
        section.require(
            passwordKey,
            QStringLiteral("{env: NAME}, {file: PATH} or {keychain: NAME} for the user '%1'").arg(config.address.user));
}

} // namespace

AmqpConfig readAmqp(const Section &transport)
{
    Section section = transport.section(QStringLiteral("amqp"), {urlKey, passwordKey, exchangeKey, routingKeyKey,
                                                                 concurrencyKey, heartbeatKey, sourceKey, caFileKey});
    AmqpConfig config;
    section.require(urlKey, QStringLiteral("a URL such as amqp://user@host:5672/%2f"));
    readAddress(section, config);
    config.exchange = section.text(exchangeKey).value_or(QString());
    if (config.exchange.toUtf8().size() > 255)
        section.fail(exchangeKey, QStringLiteral("expected at most 255 bytes"));
    config.routingKey = readPattern(section, routingKeyKey, config.routingKey);
    config.concurrency = section.number(concurrencyKey, 1, 10000).value_or(config.concurrency);
    config.source = readSource(section, config.source);
    config.caFile = section.existingFile(caFileKey).value_or(QString());
    const auto heartbeat = section.duration(heartbeatKey, seconds{1}, seconds{300});
    config.heartbeat = heartbeat ? std::chrono::floor<seconds>(*heartbeat) : config.heartbeat;
    return config;
}

} // namespace outbox::app
