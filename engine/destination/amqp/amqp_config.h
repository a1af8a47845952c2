// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "base/result.h"
#include "base/time.h"
#include "destination/name_pattern.h"
#include "destination/secret.h"

#include <QString>

namespace outbox::destination {

/// How a message's routing key is made.
using RoutingKey = NamePattern;

/// Where a broker listens and who we are there.
struct AmqpAddress {
    QString host;
    int port = 5672; ///< 5671 for amqps
    bool tls = false;
    QString user = QStringLiteral("guest");
    QString virtualHost = QStringLiteral("/");
};

/// Takes "amqp://user@host:port/vhost" or "amqps://...", everything after the host optional; the virtual
/// host is percent-encoded ("%2f" is "/"). A password in it is refused: secrets come separately. The
/// error is a sentence that never repeats a password.
Result<AmqpAddress, QString> parseAmqpAddress(const QString &url);

/// One exchange of one broker (AMQP 0-9-1).
struct AmqpConfig {
    AmqpAddress address;
    Secret password;
    QString exchange; ///< empty: the default exchange, whose routing keys are queue names
    RoutingKey routingKey;
    int concurrency = 256;                      ///< messages sent and not yet confirmed
    QString source = QStringLiteral("/outbox"); ///< the CloudEvents source: a URI reference
    QString caFile;                             ///< for amqps: PEM file of the only trusted roots; empty: the system's
    seconds heartbeat{10};                      ///< a peer that is silent for twice as long is dead
    milliseconds connectTimeout{5000};          ///< for connecting and for logging in, each
    Backoff reconnect{milliseconds{200}, milliseconds{15000}};
    milliseconds patience{1000}; ///< how long a delivery waits for a connection before it is NotTried
};

} // namespace outbox::destination
