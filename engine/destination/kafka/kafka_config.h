// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "base/time.h"
#include "destination/name_pattern.h"
#include "destination/secret.h"

#include <QString>

namespace outbox::destination {

/// How a password is shown to a Kafka broker.
enum class KafkaMechanism { plain, scram_sha_256, scram_sha_512 };

/// The topics of one Kafka cluster.
struct KafkaConfig {
    QString brokers;                                  ///< "host:port,host:port": where to begin; the rest is learned
    NamePattern topic;                                ///< how a message's topic is made
    bool tls = false;                                 ///< verified, always
    QString caFile;                                   ///< PEM file of the only trusted roots; empty: the system's
    QString user;                                     ///< empty: no login
    Secret password;                                  ///< of the user
    KafkaMechanism mechanism = KafkaMechanism::plain; ///< for user and password
    int concurrency = 1000;                           ///< messages handed to the client and not yet reported
    QString source = QStringLiteral("/outbox");       ///< the CloudEvents source: a URI reference
    milliseconds timeout{10000};  ///< for one message, the client's own retries and every wait included
    milliseconds linger{5};       ///< how long a message waits for others of its batch
    int largestMessage = 1000000; ///< bytes; the brokers' own limit counts too
    Backoff reconnect{milliseconds{100}, milliseconds{10000}};
};

} // namespace outbox::destination
