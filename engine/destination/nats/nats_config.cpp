// SPDX-License-Identifier: Apache-2.0
#include "destination/nats/nats_config.h"

#include "destination/broker_url.h"

namespace outbox::destination {

Result<NatsAddress, QString> parseNatsAddress(const QString &text)
{
    const QMap<QString, int> ports{{QStringLiteral("nats"), 4222}, {QStringLiteral("tls"), 4222}};
    const auto url = parseBrokerUrl(text, ports, QStringLiteral("nats://user@host:port"));
    if (!url)
        return url.error();
    if (url->path.size() > 1)
        return QStringLiteral("expected nothing behind host and port");
    return NatsAddress{url->host, url->port, url->scheme == QStringLiteral("tls"), url->user};
}

} // namespace outbox::destination
