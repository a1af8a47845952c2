// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "destination/mailbox.h"

#include <QString>

#include <nats/nats.h>

#include <memory>
#include <variant>

namespace outbox::destination {

struct FreeNatsMessage {
    void operator()(natsMsg *message) const { natsMsg_Destroy(message); }
};
/// A message of the client library, owned.
using NatsMessage = std::unique_ptr<natsMsg, FreeNatsMessage>;

/// JetStream's answer to one publish. Owning the message keeps its address, which names the publish, from
/// being used again before the answer was read.
struct NatsAnswer {
    NatsMessage message;
    natsStatus status = NATS_OK; ///< NATS_OK: stored, or known already as a duplicate
    jsErrCode code{};            ///< JetStream's own code for a refusal; 0: none
    QString text;                ///< and in words
};
/// The server said that we may not publish to that subject; no answer will come.
struct NatsDenied {
    QString subject;
};
/// The connection is gone for good.
struct NatsLost {
    QString reason;
};

/// What a server says to a publisher.
using NatsEvent = std::variant<NatsAnswer, NatsDenied, NatsLost>;
using NatsMailbox = Mailbox<NatsEvent>;

} // namespace outbox::destination
