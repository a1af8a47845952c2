// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "destination/cloudevents.h"
#include "destination/nats/nats_config.h"
#include "destination/nats/nats_event.h"

#include <memory>

namespace outbox::destination {

/// One connection to a server, with JetStream. It does not reconnect: once lost, it is lost. Used by one
/// thread at a time; it may be handed over. The client library reads and pings in threads of its own and
/// tells what happens through the mailbox.
class NatsConnection {
public:
    /// Connects and logs in. Blocks for config.connectTimeout at the most. The error is a sentence for the
    /// log, without secrets.
    static Result<std::unique_ptr<NatsConnection>, QString> open(const NatsConfig &config,
                                                                 std::shared_ptr<NatsMailbox> mailbox);
    /// May wait for config.writeTimeout when the server reads nothing.
    ~NatsConnection();
    NatsConnection(const NatsConnection &) = delete;
    NatsConnection &operator=(const NatsConnection &) = delete;

    [[nodiscard]] const std::shared_ptr<NatsMailbox> &mailbox() const { return mailbox_; }
    /// What the server takes as one message, headers included, in bytes.
    [[nodiscard]] qsizetype largestMessage() const;

    /// Publishes with `Nats-Msg-Id` = id. The message's address names it in its answer, which comes as a
    /// NATS_TIMEOUT of the library's own after `limit`. An error ends the connection; part of the message
    /// may have been sent.
    [[nodiscard]] Result<const natsMsg *, QString> publish(const QByteArray &subject, const QByteArray &id,
                                                           const std::vector<EventAttribute> &headers,
                                                           const QByteArray &payload, milliseconds limit);

private:
    struct Close {
        void operator()(natsConnection *connection) const { natsConnection_Destroy(connection); }
    };
    struct End {
        void operator()(jsCtx *context) const { jsCtx_Destroy(context); }
    };

    explicit NatsConnection(std::shared_ptr<NatsMailbox> mailbox);

    std::shared_ptr<NatsMailbox> mailbox_;
    void *closure_; ///< names the mailbox to the library's callbacks, which may come late
    std::unique_ptr<natsConnection, Close> connection_;
    std::unique_ptr<jsCtx, End> stream_;
};

} // namespace outbox::destination
