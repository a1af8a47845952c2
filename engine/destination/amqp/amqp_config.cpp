// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/amqp_config.h"

#include <QUrl>

namespace outbox::destination {

Result<AmqpAddress, QString> parseAmqpAddress(const QString &text)
{
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid())
        return QStringLiteral("not a URL; expected amqp://user@host:port/vhost");
    const QString scheme = url.scheme();
    if (scheme != QStringLiteral("amqp") && scheme != QStringLiteral("amqps"))
        return QStringLiteral("expected the scheme amqp or amqps, not '%1'").arg(scheme);
    if (!url.password().isEmpty())
        return QStringLiteral("a password in clear is refused; give it as 'password: {env: NAME}' or '{file: PATH}'");
    if (url.host().isEmpty())
        return QStringLiteral("the host is missing; expected amqp://user@host:port/vhost");
    if (url.hasQuery() || url.hasFragment())
        return QStringLiteral("expected nothing behind the virtual host");
    AmqpAddress address;
    address.host = url.host();
    address.tls = scheme == QStringLiteral("amqps");
    address.port = url.port(address.tls ? 5671 : 5672);
    if (!url.userName().isEmpty())
        address.user = url.userName(QUrl::FullyDecoded);
    const QString path = url.path(QUrl::FullyEncoded);
    if (path.size() > 1)
        address.virtualHost = QUrl::fromPercentEncoding(path.mid(1).toUtf8());
    return address;
}

} // namespace outbox::destination
