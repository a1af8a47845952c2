// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/transports.h"

#include <QUrl>

#include <algorithm>

namespace outbox::app {

using destination::HttpConfig;
using destination::Secret;

namespace {

const auto urlKey = QStringLiteral("url");
const auto timeoutKey = QStringLiteral("timeout");
const auto concurrencyKey = QStringLiteral("concurrency");
const auto authorizationKey = QStringLiteral("authorization");
const auto bearerKey = QStringLiteral("bearer");
const auto signingKey = QStringLiteral("signing_key");
const auto certificateKey = QStringLiteral("client_certificate");
const auto certificateKeyKey = QStringLiteral("client_key");
const auto sourceKey = QStringLiteral("source");
const auto caFileKey = QStringLiteral("ca_file");

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

/// A secret that travels in a header: one line of printable characters.
Secret readHeaderSecret(const Section &section, const QString &key)
{
    auto secret = section.secret(key).value_or(Secret());
    const auto &text = secret.reveal();
    if (std::ranges::all_of(text, [](QChar each) { return each >= u' ' && each != QChar(0x7f); }))
        return secret;
    section.fail(key, QStringLiteral("expected one line without control characters in the secret"));
    return {};
}

void readAuthorization(const Section &section, HttpConfig &config)
{
    config.authorization = readHeaderSecret(section, authorizationKey);
    config.bearer = readHeaderSecret(section, bearerKey);
    if (section.has(authorizationKey) && section.has(bearerKey))
        section.fail(bearerKey, QStringLiteral("expected only one of authorization and bearer"));
}

void readSigningKey(const Section &section, HttpConfig &config)
{
    const auto secret = section.secret(signingKey);
    if (!secret)
        return;
    auto key = destination::WebhookKey::parse(*secret);
    if (key)
        config.signingKey = std::move(key).value();
    else
        section.fail(signingKey, key.error());
}

void readCertificate(Section &section, HttpConfig &config)
{
    if (section.has(certificateKey))
        section.require(certificateKeyKey, QStringLiteral("the PEM file of the certificate's private key"));
    if (section.has(certificateKeyKey))
        section.require(certificateKey, QStringLiteral("the PEM file of the key's certificate"));
    const auto certificate = section.existingFile(certificateKey);
    const auto key = section.existingFile(certificateKeyKey);
    if (!certificate || !key)
        return;
    if (config.url.scheme() == QStringLiteral("http"))
        section.fail(certificateKey, QStringLiteral("expected an https URL for a client certificate"));
    auto read = destination::readClientCertificate(*certificate, *key);
    if (read)
        config.clientCertificate = std::move(read).value();
    else
        section.fail(certificateKey, read.error());
}

} // namespace

HttpConfig readHttp(const Section &transport)
{
    Section section = transport.section(QStringLiteral("http"),
                                        {urlKey, timeoutKey, concurrencyKey, authorizationKey, bearerKey, signingKey,
                                         certificateKey, certificateKeyKey, sourceKey, caFileKey});
    HttpConfig config;
    section.require(urlKey, QStringLiteral("an absolute URL"));
    if (const auto text = section.text(urlKey)) {
        config.url = QUrl(*text, QUrl::StrictMode);
        if (const QString problem = urlProblem(config.url); !problem.isEmpty())
            section.fail(urlKey, problem);
    }
    config.timeout = section.duration(timeoutKey, milliseconds{100}, std::chrono::minutes{10}).value_or(config.timeout);
    config.concurrency = section.number(concurrencyKey, 1, 1000).value_or(config.concurrency);
    config.source = readSource(section, config.source);
    config.caFile = section.existingFile(caFileKey).value_or(QString());
    readAuthorization(section, config);
    readSigningKey(section, config);
    readCertificate(section, config);
    return config;
}

} // namespace outbox::app
