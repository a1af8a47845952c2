// SPDX-License-Identifier: Apache-2.0
#include "contract/kafka_cluster.h"

#include "contract/suite.h"

#include <QtEndian>

#include <stdexcept>

namespace outbox::contract {

using destination::KafkaConfig;
using destination::KafkaDestination;
using destination::NamePattern;

namespace {

constexpr int patience = 20000;
constexpr std::int16_t produceRequest = 0;

void check(rd_kafka_resp_err_t error, const char *what)
{
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR)
        throw std::runtime_error(std::string(what) + ": " + rd_kafka_err2str(error));
}

rd_kafka_t *makeClient(rd_kafka_type_t type, const QByteArray &brokers)
{
    char text[300];
    auto *conf = rd_kafka_conf_new();
    rd_kafka_conf_set_log_cb(conf, nullptr);
    for (const auto &[key, value] : std::initializer_list<std::pair<const char *, QByteArray>>{
             {"bootstrap.servers", brokers}, {"group.id", "observer"}, {"auto.offset.reset", "earliest"}})
        if ((type == RD_KAFKA_CONSUMER || qstrcmp(key, "bootstrap.servers") == 0) && !value.isEmpty() &&
            rd_kafka_conf_set(conf, key, value.constData(), text, sizeof text) != RD_KAFKA_CONF_OK)
            throw std::runtime_error(text);
    auto *client = rd_kafka_new(type, conf, text, sizeof text);
    if (!client)
        throw std::runtime_error(text);
    return client;
}

KafkaCluster::Item itemFrom(const rd_kafka_message_t *message)
{
    KafkaCluster::Item item{{static_cast<const char *>(message->key), static_cast<qsizetype>(message->key_len)},
                            {static_cast<const char *>(message->payload), static_cast<qsizetype>(message->len)},
                            {}};
    rd_kafka_headers_t *headers = nullptr;
    if (rd_kafka_message_headers(message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR)
        return item;
    const char *name = nullptr;
    const void *value = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0; rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++i)
        item.headers[name] = QByteArray(static_cast<const char *>(value), static_cast<qsizetype>(size));
    return item;
}

} // namespace

KafkaCluster::KafkaCluster(int brokers) : observer_(makeClient(RD_KAFKA_PRODUCER, {}))
{
    cluster_ = rd_kafka_mock_cluster_new(observer_, brokers);
    consumer_ = makeClient(RD_KAFKA_CONSUMER, rd_kafka_mock_cluster_bootstraps(cluster_));
}

KafkaCluster::~KafkaCluster()
{
    rd_kafka_destroy(consumer_);
    rd_kafka_mock_cluster_destroy(cluster_);
    rd_kafka_destroy(observer_);
}

QString KafkaCluster::brokers() const { return QString::fromUtf8(rd_kafka_mock_cluster_bootstraps(cluster_)); }

int KafkaCluster::port() const { return brokers().section(u':', -1).toInt(); }

void KafkaCluster::makeTopic(const QByteArray &topic, int replicas)
{
    check(rd_kafka_mock_topic_create(cluster_, topic.constData(), 1, replicas), "create topic");
}

void KafkaCluster::moveLeader(const QByteArray &topic, int broker)
{
    check(rd_kafka_mock_partition_set_leader(cluster_, topic.constData(), 0, broker), "set leader");
}

void KafkaCluster::breakTopic(const QByteArray &topic, rd_kafka_resp_err_t error)
{
    rd_kafka_mock_topic_set_error(cluster_, topic.constData(), error);
}

void KafkaCluster::failProduce(rd_kafka_resp_err_t error, int times)
{
    const std::vector<rd_kafka_resp_err_t> errors(static_cast<std::size_t>(times), error);
    rd_kafka_mock_push_request_errors_array(cluster_, produceRequest, errors.size(), errors.data());
}

void KafkaCluster::mend() { rd_kafka_mock_clear_request_errors(cluster_, produceRequest); }

void KafkaCluster::setDown(int broker, bool down)
{
    check(down ? rd_kafka_mock_broker_set_down(cluster_, broker) : rd_kafka_mock_broker_set_up(cluster_, broker),
          "set broker");
}

std::int64_t KafkaCluster::depth(const QByteArray &topic)
{
    std::int64_t low = 0;
    std::int64_t high = 0;
    check(rd_kafka_query_watermark_offsets(consumer_, topic.constData(), 0, &low, &high, patience), "offsets");
    return high;
}

std::vector<KafkaCluster::Item> KafkaCluster::read(const QByteArray &topic, std::int64_t from, std::int64_t to)
{
    std::vector<Item> items;
    auto *part = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(part, topic.constData(), 0)->offset = from;
    const auto assigned = rd_kafka_assign(consumer_, part);
    rd_kafka_topic_partition_list_destroy(part);
    check(assigned, "assign");
    while (from + static_cast<std::int64_t>(items.size()) < to) {
        auto *message = rd_kafka_consumer_poll(consumer_, patience);
        if (!message)
            throw std::runtime_error("no record came");
        if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR)
            items.push_back(itemFrom(message));
        rd_kafka_message_destroy(message);
    }
    check(rd_kafka_assign(consumer_, nullptr), "unassign");
    return items;
}

KafkaConfig kafkaConfigFor(const QString &brokers, const QString &topic)
{
    KafkaConfig config;
    config.brokers = brokers;
    config.topic = NamePattern::parse(topic).value();
    config.concurrency = 50;
    config.reconnect = {milliseconds{20}, milliseconds{200}};
    return config;
}

KafkaCluster &Topic::shared()
{
    static KafkaCluster cluster(1);
    return cluster;
}

Topic::Topic()
{
    cluster.makeTopic(name);
    const auto address = [](int port) {
        QByteArray bytes = "127.0.0.1    ";
        qToBigEndian<qint32>(port, bytes.data() + 9);
        return bytes;
    };
    wire.changeAnswers([from = address(cluster.port()), to = address(wire.port())](QByteArray answer) {
        return answer.replace(from, to);
    });
}

std::unique_ptr<delivery::Destination> Topic::make(delivery::OutcomeSink &sink)
{
    screen_.to = &sink;
    const QString brokers = QStringLiteral("127.0.0.1:%1").arg(wire.port());
    auto made = std::make_unique<KafkaDestination>(kafkaConfigFor(brokers, QString::fromUtf8(name)), screen_);
    made_ = made.get();
    return made;
}

void Topic::Screen::settled(delivery::Ticket ticket, delivery::DeliveryOutcome outcome)
{
    if (ticket == delivery::Ticket(0))
        warm = std::holds_alternative<delivery::Accepted>(outcome);
    else
        to->settled(ticket, std::move(outcome));
}

bool Topic::isReady()
{
    if (!std::exchange(asked_, true)) {
        std::vector<delivery::Delivery> first;
        first.push_back({delivery::Ticket(0), message(0), 1, Deadline::in(seconds{60}, SteadyClock())});
        made_->deliver(std::move(first));
    }
    if (screen_.warm)
        taken_ = cluster.depth(name);
    return screen_.warm;
}

void Topic::become(Mood mood)
{
    if (std::exchange(mood_, mood) == Mood::unreachable)
        wire.comeBack();
    wire.mend();
    cluster.mend();
    switch (mood) {
    case Mood::accept: return;
    case Mood::reject: return cluster.failProduce(RD_KAFKA_RESP_ERR_INVALID_RECORD);
    case Mood::busy: return cluster.failProduce(RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS);
    case Mood::unreachable: return wire.goAway();
    case Mood::hold: return wire.stallAnswers();
    }
}

void Topic::letGo()
{
    wire.mend();
    cluster.mend();
}

std::vector<Received> Topic::take()
{
    std::vector<Received> received;
    const auto end = cluster.depth(name);
    for (auto &each : cluster.read(name, taken_, end))
        received.push_back(
            {QString::fromUtf8(each.headers["ce_id"]), QString::fromUtf8(each.headers["ce_type"]), each.body});
    taken_ = end;
    return received;
}

} // namespace outbox::contract
