// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <QByteArray>
#include <QString>

#include <amqp.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace outbox::servers {

/// A plain blocking session with a RabbitMQ on this machine, as guest: what a careful program would write
/// with librabbitmq and nothing else. One channel. One object, one thread.
class AmqpSession {
public:
    static Result<std::unique_ptr<AmqpSession>, QString> open(int port);
    AmqpSession(const AmqpSession &) = delete;
    AmqpSession &operator=(const AmqpSession &) = delete;
    ~AmqpSession();

    /// Makes the durable queue of that name, empty.
    Result<Done, QString> makeQueue(const QString &queue);

    /// Publishes `count` persistent, mandatory messages to the queue with at most `window` not confirmed,
    /// and comes back when the broker has confirmed every one. `id` names the message of that number.
    Result<Done, QString> publish(const QString &queue, int count, int window, const QByteArray &body,
                                  const std::function<QByteArray(int)> &id);

    /// Takes messages until `taken`, called with each message id, gives false. Acknowledges in blocks.
    Result<Done, QString> consume(const QString &queue, const std::function<bool(const QByteArray &id)> &taken);

private:
    AmqpSession() = default;
    Result<Done, QString> begin(int port);
    /// Reads confirms, waiting at most `limit` for the first one; gives how many messages they settled.
    Result<int, QString> confirms(milliseconds limit);
    Result<int, QString> confirmed(const amqp_frame_t &frame);

    amqp_connection_state_t connection_ = nullptr;
    std::vector<bool> open_;   ///< by delivery tag: not confirmed yet
    std::uint64_t oldest_ = 1; ///< everything before is confirmed
};

} // namespace outbox::servers
