// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QUuid>

#include <cstdint>
#include <variant>

namespace outbox::destination {

/// basic.ack: the broker has taken responsibility.
struct Confirmed {
    std::uint64_t tag = 0;
    bool multiple = false;
};
/// basic.nack: the broker could not take it now.
struct Refused {
    std::uint64_t tag = 0;
    bool multiple = false;
};
/// basic.return: no queue for it. Its confirm follows.
struct Returned {
    QUuid id;
    int code = 0;
    QString text;
};
/// The broker closed the channel or the connection; nothing more comes on it.
struct Closed {
    int code = 0;
    QString text;
};
/// connection.blocked: the broker takes no more publishes for now (an alarm for memory or disk).
struct Blocked {
    QString reason;
};
struct Unblocked {};
/// The connection is gone: reset, silent for too long, or broken.
struct Lost {
    QString reason;
};

/// What a broker says to a publisher.
using BrokerEvent = std::variant<Confirmed, Refused, Returned, Closed, Blocked, Unblocked, Lost>;

} // namespace outbox::destination
