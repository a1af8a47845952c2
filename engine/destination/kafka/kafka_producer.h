// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "destination/cloudevents.h"
#include "destination/kafka/kafka_config.h"
#include "destination/kafka/kafka_event.h"

#include <atomic>
#include <memory>
#include <thread>

namespace outbox::destination {

/// One idempotent producer with a thread of its own that asks it for delivery reports and puts them into
/// the mailbox. The client connects, reconnects and repeats by itself; what it repeats, the broker writes
/// once. Used by one thread.
class KafkaProducer {
public:
    /// Does not wait for any broker. The error is a sentence about the settings, without secrets.
    static Result<std::unique_ptr<KafkaProducer>, QString> open(const KafkaConfig &config,
                                                                std::shared_ptr<KafkaMailbox> mailbox);
    /// What was not reported never will be. Waits for the client's threads, a fraction of a second.
    ~KafkaProducer();
    KafkaProducer(const KafkaProducer &) = delete;
    KafkaProducer &operator=(const KafkaProducer &) = delete;

    [[nodiscard]] const std::shared_ptr<KafkaMailbox> &mailbox() const { return mailbox_; }

    /// Hands one message over; its report names the ticket. RD_KAFKA_RESP_ERR__QUEUE_FULL: not now; any other
    /// error is about this message. Does not block.
    [[nodiscard]] rd_kafka_resp_err_t produce(const QByteArray &topic, const QByteArray &key,
                                              const std::vector<EventAttribute> &headers, const QByteArray &payload,
                                              delivery::Ticket ticket);

private:
    explicit KafkaProducer(std::shared_ptr<KafkaMailbox> mailbox) : mailbox_(std::move(mailbox)) {}

    std::shared_ptr<KafkaMailbox> mailbox_;
    rd_kafka_t *client_ = nullptr;
    std::atomic<bool> ending_{false};
    std::thread poller_;
};

} // namespace outbox::destination
