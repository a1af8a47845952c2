// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"
#include "destination/mailbox.h"

#include <QString>

#include <librdkafka/rdkafka.h>

#include <variant>

namespace outbox::destination {

/// The delivery report of one message.
struct KafkaReport {
    delivery::Ticket ticket;
    rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_NO_ERROR;
    bool mayBeWritten = false; ///< it was sent, and whether the broker wrote it is not known
};
/// Something is wrong with a broker or the connection to it; the client goes on trying.
struct KafkaTrouble {
    QString reason;
    bool allDown = false; ///< no broker is connected any more
};
/// This client can send nothing any more.
struct KafkaFatal {
    QString reason;
};

/// What the client tells.
using KafkaEvent = std::variant<KafkaReport, KafkaTrouble, KafkaFatal>;
using KafkaMailbox = Mailbox<KafkaEvent>;

} // namespace outbox::destination
