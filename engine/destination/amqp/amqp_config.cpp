// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/amqp_config.h"

#include "destination/broker_url.h"

#include <QUrl>

namespace outbox::destination {

Result<AmqpAddress, QString> parseAmqpAddress(const QString &text)
{
    const QMap<QString, int> ports{{QStringLiteral("amqp"), 5672}, {QStringLiteral("amqps"), 5671}};
    const auto url = parseBrokerUrl(text, ports, QStringLiteral("amqp://user@host:port/vhost"));
    if (!url)
        return url.error();
    AmqpAddress address;
    address.host = url->host;
    address.tls = url->scheme == QStringLiteral("amqps");
    address.port = url->port;
    if (!url->user.isEmpty())
        address.user = url->user;
    if (url->path.size() > 1)
        address.virtualHost = QUrl::fromPercentEncoding(url->path.mid(1).toUtf8());
    return address;
}

} // namespace outbox::destination
