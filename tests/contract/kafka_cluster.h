// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/target.h"
#include "destination/kafka/kafka_destination.h"
#include "support/tcp_proxy.h"

#include <QUuid>

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <algorithm>
#include <map>
#include <set>

namespace outbox::contract {

/// The mock cluster that comes with the Kafka client: brokers on ports of this machine that speak the
/// protocol and keep what is produced. Looked at from behind with a consumer of its own. One thread; calls
/// block; what goes wrong throws std::runtime_error.
class KafkaCluster {
public:
    /// A record as it lies in a partition.
    struct Item {
        QByteArray key;
        QByteArray body;
        std::map<QByteArray, QByteArray> headers;
    };

    explicit KafkaCluster(int brokers);
    KafkaCluster(const KafkaCluster &) = delete;
    KafkaCluster &operator=(const KafkaCluster &) = delete;
    ~KafkaCluster();

    [[nodiscard]] QString brokers() const;
    /// Of the only broker.
    [[nodiscard]] int port() const;
    void makeTopic(const QByteArray &topic, int replicas = 1);
    void moveLeader(const QByteArray &topic, int broker);
    /// Every request for the topic ends so.
    void breakTopic(const QByteArray &topic, rd_kafka_resp_err_t error);
    /// The next so many produce requests end so.
    void failProduce(rd_kafka_resp_err_t error, int times = 1000);
    void mend();
    void setDown(int broker, bool down);
    /// Records of the only partition so far.
    [[nodiscard]] std::int64_t depth(const QByteArray &topic);
    [[nodiscard]] std::vector<Item> read(const QByteArray &topic, std::int64_t from, std::int64_t to);

private:
    rd_kafka_t *observer_ = nullptr;
    rd_kafka_mock_cluster_t *cluster_ = nullptr;
    rd_kafka_t *consumer_ = nullptr;
};

/// That cluster, with short waits.
destination::KafkaConfig kafkaConfigFor(const QString &brokers, const QString &topic);

/// The other side is a topic of the mock cluster, behind a wire that can be stalled and cut. A Kafka client
/// goes where the brokers' metadata sends it, so the wire puts its own port there.
class Topic final : public Target {
public:
    Topic();

    std::unique_ptr<delivery::Destination> make(delivery::OutcomeSink &sink) override;
    /// A first message went through: metadata, producer id and connection are there.
    bool isReady() override;
    void become(Mood mood) override;
    int held() override { return static_cast<int>(cluster.depth(name) - taken_); }
    /// An idempotent producer sends five requests ahead of their answers, each with one record or many.
    [[nodiscard]] int certainlyHeld(int given) const override { return std::min(given, 5); }
    void letGo() override;
    void cut() override { wire.cut(); }
    std::vector<Received> take() override;

    static KafkaCluster &shared();
    const QByteArray name = "contract-" + QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    KafkaCluster &cluster = shared();
    test::TcpProxy wire{cluster.port()};

private:
    /// Keeps the first message's outcome from the suite, which did not send it.
    class Screen final : public delivery::OutcomeSink {
    public:
        void settled(delivery::Ticket ticket, delivery::DeliveryOutcome outcome) override;
        void flush() override { to->flush(); }

        delivery::OutcomeSink *to = nullptr;
        bool warm = false;
    };

    Screen screen_;
    delivery::Destination *made_ = nullptr;
    Mood mood_ = Mood::accept;
    std::int64_t taken_ = 0;
    bool asked_ = false;
};

} // namespace outbox::contract
