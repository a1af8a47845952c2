// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "delivery/destination.h"
#include "destination/kafka/kafka_config.h"
#include "destination/kafka/kafka_event.h"
#include "destination/outage_log.h"
#include "destination/waiting_line.h"

#include <QTimer>

#include <memory>
#include <unordered_map>

namespace outbox::destination {

class KafkaProducer;

/// Produces to topics of a Kafka cluster, idempotently: a message is Accepted when its delivery report says
/// that all replicas in sync have it (S11). Its key is its ordering key, else its id; CloudEvents travel in
/// binary mode as `ce_` headers, with the trace context beside them (S10). What a report means: see
/// kafka_outcome.h.
///
/// The client keeps what it was given through a lost connection or a moving leader and repeats it without
/// writing it twice, within config.timeout: only then it is Failed, or NotTried when it never left. One log
/// line tells when no broker was to be reached, one when a message went through again.
///
/// What is settled at a deadline that ends before config.timeout stays with the client and may still be
/// written. At most concurrency() other messages are with the client, and its own queue is bounded: what it
/// cannot take waits here, up to its deadline. A client that ends fatally is replaced, with backoff; until then
/// deliveries wait for a second at the most, then they are NotTried.
class KafkaDestination final : public delivery::Destination {
    Q_OBJECT
public:
    KafkaDestination(KafkaConfig config, delivery::OutcomeSink &sink, Random random = Random::fromMachine());
    ~KafkaDestination() override;

    [[nodiscard]] int concurrency() const override { return config_.concurrency; }
    void deliver(std::vector<delivery::Delivery> deliveries) override;

protected:
    void onStart() override;
    /// What the client has goes on until it is reported or its deadline; the rest is NotTried at once.
    void onStop() override;

private:
    struct Flight {
        Instant end;
        QByteArray topic;
    };

    void open();
    void openLater();
    void replace();
    void drop();
    void sendWaiting();
    [[nodiscard]] bool canSend() const { return producer_ && !ended_; }
    [[nodiscard]] bool produce(const delivery::Delivery &delivery);
    void collect();
    void handle(const KafkaReport &report);
    void handle(const KafkaTrouble &trouble);
    void handle(const KafkaFatal &fatal);
    void expire();

    void settle(delivery::Ticket ticket, delivery::DeliveryOutcome outcome);
    void flush();
    void endIfIdle();

    KafkaConfig config_;
    QByteArray source_;
    SteadyClock clock_;
    OutageLog log_;
    Random random_;
    std::unique_ptr<KafkaProducer> producer_; ///< nothing: stopped, or its settings were refused
    bool ended_ = false;                      ///< fatally: it reports what it has and takes nothing more
    int failures_ = 0;                        ///< clients in a row that ended before anything went through
    WaitingLine waiting_;
    std::unordered_map<std::uint64_t, Flight> flights_;
    bool away_ = false;   ///< no broker was connected, and nothing went through since
    QString lastTrouble_; ///< with one broker: the reason when none is left
    bool greeted_ = false;
    bool unflushed_ = false;
    QTimer tick_;
    QTimer reopen_;
};

} // namespace outbox::destination
