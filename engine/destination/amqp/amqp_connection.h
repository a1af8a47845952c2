// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "destination/amqp/amqp_config.h"
#include "destination/amqp/broker_event.h"

#include <amqp.h>

#include <memory>
#include <optional>

namespace outbox::destination {

/// One connection with one channel in confirm mode. Used by one thread at a time; it may be handed over.
class AmqpConnection {
public:
    /// Connects, logs in, opens the channel, switches confirms on. Blocks, each step at most
    /// config.connectTimeout. The error is a sentence for the log, without secrets.
    static Result<std::unique_ptr<AmqpConnection>, QString> open(const AmqpConfig &config);

    ~AmqpConnection();
    AmqpConnection(const AmqpConnection &) = delete;
    AmqpConnection &operator=(const AmqpConnection &) = delete;

    [[nodiscard]] int socket() const;
    /// The next thing the broker said, without waiting. Sends a heartbeat when one is due: call it at
    /// least once a heartbeat.
    [[nodiscard]] std::optional<BrokerEvent> next();

    /// Something was read already that next() has not told yet: the socket will not announce it.
    [[nodiscard]] bool hasUnread() const;

    /// What one message may have in properties and headers, in bytes.
    [[nodiscard]] int largestHeader() const;
    /// Publishes persistently with `mandatory`; the error is a reason in words and ends the connection.
    [[nodiscard]] Result<Done, QString> publish(const QByteArray &exchange, const QByteArray &routingKey,
                                                const amqp_basic_properties_t &properties, const QByteArray &body);
    /// The socket takes some tens of kilobytes without blocking.
    [[nodiscard]] bool isWritable() const;
    /// Between the two, small writes are gathered into full packets.
    void beginBatch();
    void endBatch();
    /// Tells the broker that we go; does not wait for its answer.
    void sayGoodbye();

private:
    struct Free {
        void operator()(amqp_connection_state_t state) const { amqp_destroy_connection(state); }
    };
    struct ReturnInProgress {
        Returned event;
        std::uint64_t bodyLeft = 0;
        bool headerSeen = false;
    };

    explicit AmqpConnection(amqp_connection_state_t state) : state_(state) {}
    [[nodiscard]] std::optional<BrokerEvent> method(const amqp_method_t &method);
    [[nodiscard]] std::optional<BrokerEvent> content(const amqp_frame_t &frame);

    std::unique_ptr<amqp_connection_state_t_, Free> state_;
    std::optional<ReturnInProgress> returning_;
};

} // namespace outbox::destination
