// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/destinations.h"

#include <QRegularExpression>
#include <QUrl>

namespace outbox::app {

using destination::AmqpConfig;
using destination::HttpConfig;

namespace {

const auto amqpKey = QStringLiteral("amqp");
const auto httpKey = QStringLiteral("http");
const auto urlKey = QStringLiteral("url");
const auto concurrencyKey = QStringLiteral("concurrency");
const auto sourceKey = QStringLiteral("source");
const auto caFileKey = QStringLiteral("ca_file");

QString readSource(const Section &section, const QString &otherwise)
{
    const auto source = section.text(sourceKey);
    if (!source)
        return otherwise;
    if (!source->isEmpty() && QUrl(*source, QUrl::StrictMode).isValid())
        return *source;
    section.fail(sourceKey, QStringLiteral("expected a URI reference such as /shop/orders, found '%1'").arg(*source));
    return otherwise;
}

/// What is wrong with an endpoint's URL; empty: nothing. Never repeats it, since a password may be in it.
QString urlProblem(const QUrl &url)
{
    const auto expected = QStringLiteral("expected an absolute URL such as https://pay.example/outbox");
    if (!url.isValid() || url.isRelative() || url.host().isEmpty())
        return expected;
    if (url.scheme() != QStringLiteral("http") && url.scheme() != QStringLiteral("https"))
        return expected + QStringLiteral(", found the scheme '%1'").arg(url.scheme());
    if (!url.userInfo().isEmpty())
        return QStringLiteral("a user or password in the URL is refused; use 'authorization: {env: NAME}'");
    if (url.hasFragment())
        return QStringLiteral("expected no '#' part");
    return {};
}

HttpConfig readHttp(Section section)
{
    HttpConfig config;
    section.require(urlKey, QStringLiteral("an absolute URL"));
    if (const auto text = section.text(urlKey)) {
        config.url = QUrl(*text, QUrl::StrictMode);
        if (const QString problem = urlProblem(config.url); !problem.isEmpty())
            section.fail(urlKey, problem);
    }
    config.timeout = section.duration(QStringLiteral("timeout"), milliseconds{100}, std::chrono::minutes{10})
                         .value_or(config.timeout);
    config.concurrency = section.number(concurrencyKey, 1, 1000).value_or(config.concurrency);
    config.source = readSource(section, config.source);
    config.authorization = section.secret(QStringLiteral("authorization")).value_or(destination::Secret());
    config.caFile = section.existingFile(caFileKey).value_or(QString());
    return config;
}

void readAmqpAddress(Section &section, AmqpConfig &config)
{
    const auto passwordKey = QStringLiteral("password");
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
        section.require(passwordKey,
                        QStringLiteral("{env: NAME} or {file: PATH} for the user '%1'").arg(config.address.user));
}

AmqpConfig readAmqp(Section section)
{
    AmqpConfig config;
    section.require(urlKey, QStringLiteral("a URL such as amqp://user@host:5672/%2f"));
    readAmqpAddress(section, config);
    config.exchange = section.text(QStringLiteral("exchange")).value_or(QString());
    if (config.exchange.toUtf8().size() > 255)
        section.fail(QStringLiteral("exchange"), QStringLiteral("expected at most 255 bytes"));
    const auto routingKey = QStringLiteral("routing_key");
    if (const auto pattern = section.text(routingKey)) {
        auto key = destination::RoutingKey::parse(*pattern);
        if (key)
            config.routingKey = std::move(key).value();
        else
            section.fail(routingKey, key.error());
    }
    config.concurrency = section.number(concurrencyKey, 1, 10000).value_or(config.concurrency);
    config.source = readSource(section, config.source);
    config.caFile = section.existingFile(caFileKey).value_or(QString());
    const auto heartbeat = section.duration(QStringLiteral("heartbeat"), seconds{1}, seconds{300});
    config.heartbeat = heartbeat ? std::chrono::floor<seconds>(*heartbeat) : config.heartbeat;
    return config;
}

const QStringList &httpKeys()
{
    static const QStringList keys{
        urlKey, QStringLiteral("timeout"), concurrencyKey, QStringLiteral("authorization"), sourceKey, caFileKey};
    return keys;
}

const QStringList &amqpKeys()
{
    static const QStringList keys{urlKey,
                                  QStringLiteral("password"),
                                  QStringLiteral("exchange"),
                                  QStringLiteral("routing_key"),
                                  concurrencyKey,
                                  QStringLiteral("heartbeat"),
                                  sourceKey,
                                  caFileKey};
    return keys;
}

} // namespace

QList<DestinationSettings> readDestinations(const Section &section)
{
    static const QRegularExpression name(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._-]{0,62}\\z"));
    QList<DestinationSettings> all;
    for (const auto &key : section.keys()) {
        if (!name.match(key).hasMatch())
            section.reading().fail(section.mark(key), section.path(key),
                                   QStringLiteral("expected a name of at most 63 letters, digits, dots and dashes"));
        const auto before = section.reading().errors.size();
        const Section transport = section.section(key, {amqpKey, httpKey});
        if (transport.keys().size() != 1) {
            if (section.reading().errors.size() == before)
                section.reading().fail(section.mark(key), section.path(key),
                                       QStringLiteral("expected exactly one transport: amqp or http"));
            all.append({DestinationName(key), HttpConfig{}}); // so that its routes are not reported too
            continue;
        }
        if (transport.has(httpKey))
            all.append({DestinationName(key), readHttp(transport.section(httpKey, httpKeys()))});
        else
            all.append({DestinationName(key), readAmqp(transport.section(amqpKey, amqpKeys()))});
    }
    return all;
}

} // namespace outbox::app
