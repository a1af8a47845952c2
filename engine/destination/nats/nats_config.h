// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "base/result.h"
#include "base/time.h"
#include "destination/name_pattern.h"
#include "destination/secret.h"

#include <QString>

namespace outbox::destination {

/// Where a NATS server listens and who we are there.
struct NatsAddress {
    QString host;
    int port = 4222;
    bool tls = false;
    QString user; ///< empty: none
};

/// Takes "nats://user@host:port" or "tls://...", user and port optional. A password in it is refused. The
/// error is a sentence that never repeats a password.
Result<NatsAddress, QString> parseNatsAddress(const QString &url);

/// JetStream of one NATS server or cluster.
struct NatsConfig {
    NatsAddress address;
    Secret password;                            ///< of address.user
    Secret token;                               ///< in place of user and password; empty: none
    NamePattern subject;                        ///< what a message is published to; some stream must take it
    int concurrency = 256;                      ///< messages sent and not yet acknowledged
    QString source = QStringLiteral("/outbox"); ///< the CloudEvents source: a URI reference
    QString caFile;                    ///< for tls: PEM file of roots trusted besides the system's; empty: none
    milliseconds heartbeat{10000};     ///< between pings; a server that leaves two unanswered is dead
    milliseconds connectTimeout{5000}; ///< for connecting and logging in
    milliseconds writeTimeout{2000};   ///< for a server that reads nothing: then the connection is lost
    Backoff reconnect{milliseconds{200}, milliseconds{15000}};
    milliseconds patience{1000}; ///< how long a delivery waits for a connection before it is NotTried
};

} // namespace outbox::destination
