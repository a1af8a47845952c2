// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/transports.h"

namespace outbox::app {

using destination::NatsConfig;

namespace {

const auto urlKey = QStringLiteral("url");
const auto passwordKey = QStringLiteral("password");
const auto tokenKey = QStringLiteral("token");
const auto subjectKey = QStringLiteral("subject");
const auto concurrencyKey = QStringLiteral("concurrency");
const auto heartbeatKey = QStringLiteral("heartbeat");
const auto sourceKey = QStringLiteral("source");
const auto caFileKey = QStringLiteral("ca_file");

void readLogin(Section &section, NatsConfig &config)
{
    config.password = section.secret(passwordKey).value_or(destination::Secret());
    config.token = section.secret(tokenKey).value_or(destination::Secret());
    const bool named = !config.address.user.isEmpty();
    if (named && section.has(tokenKey))
        section.fail(tokenKey, QStringLiteral("expected no user in the URL beside a token"));
    else if (named)
        section.require(
            passwordKey,
            QStringLiteral("{env: NAME}, {file: PATH} or {keychain: NAME} for the user '%1'").arg(config.address.user));
    else if (section.has(passwordKey))
        section.fail(passwordKey, QStringLiteral("expected the user that it belongs to in the URL: nats://user@host"));
}

} // namespace

NatsConfig readNats(const Section &transport)
{
    Section section = transport.section(QStringLiteral("nats"), {urlKey, passwordKey, tokenKey, subjectKey,
                                                                 concurrencyKey, heartbeatKey, sourceKey, caFileKey});
    NatsConfig config;
    section.require(urlKey, QStringLiteral("a URL such as nats://user@host:4222"));
    if (const auto text = section.text(urlKey)) {
        auto address = destination::parseNatsAddress(*text);
        if (address)
            config.address = std::move(address).value();
        else
            section.fail(urlKey, address.error());
    }
    readLogin(section, config);
    config.subject = readPattern(section, subjectKey, config.subject);
    config.concurrency = section.number(concurrencyKey, 1, 10000).value_or(config.concurrency);
    config.heartbeat = section.duration(heartbeatKey, seconds{1}, seconds{300}).value_or(config.heartbeat);
    config.source = readSource(section, config.source);
    config.caFile = section.existingFile(caFileKey).value_or(QString());
    return config;
}

} // namespace outbox::app
