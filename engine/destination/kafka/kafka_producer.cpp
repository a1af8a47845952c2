// SPDX-License-Identifier: Apache-2.0
#include "destination/kafka/kafka_producer.h"

#include "base/log.h"

#include <array>

namespace outbox::destination {

namespace {

constexpr int pollMilliseconds = 50;

void onReport(rd_kafka_t *, const rd_kafka_message_t *message, void *opaque)
{
    KafkaReport report;
    report.ticket = delivery::Ticket(reinterpret_cast<std::uintptr_t>(message->_private));
    report.error = message->err;
    report.mayBeWritten = rd_kafka_message_status(message) != RD_KAFKA_MSG_STATUS_NOT_PERSISTED;
    static_cast<KafkaMailbox *>(opaque)->put(report);
}

void onError(rd_kafka_t *client, int error, const char *reason, void *opaque)
{
    auto *mailbox = static_cast<KafkaMailbox *>(opaque);
    const QString said = QString::fromUtf8(reason ? reason : "").left(300);
    if (error != RD_KAFKA_RESP_ERR__FATAL) {
        mailbox->put(KafkaTrouble{said, error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN});
        return;
    }
    char text[300];
    const auto original = rd_kafka_fatal_error(client, text, sizeof text);
    mailbox->put(KafkaFatal{
        QStringLiteral("%1: %2").arg(QString::fromUtf8(rd_kafka_err2name(original)), QString::fromUtf8(text))});
}

void onLog(const rd_kafka_t *, int, const char *facility, const char *text)
{
    log::debug("kafka.client", {{"facility", facility}, {"text", text}});
}

struct FreeConf {
    void operator()(rd_kafka_conf_t *conf) const { rd_kafka_conf_destroy(conf); }
};
using Conf = std::unique_ptr<rd_kafka_conf_t, FreeConf>;

/// Sets one after another until one is refused; the problem names the key, never the value.
class Settings {
public:
    explicit Settings(rd_kafka_conf_t *conf) : conf_(conf) {}
    void set(const char *key, const QByteArray &value)
    {
        char text[16]; // the client's own words would repeat the value
        if (problem_.isEmpty() &&
            rd_kafka_conf_set(conf_, key, value.constData(), text, sizeof text) != RD_KAFKA_CONF_OK)
            problem_ = QStringLiteral("the client refuses its setting %1").arg(QString::fromUtf8(key));
    }
    void set(const char *key, std::int64_t value) { set(key, QByteArray::number(static_cast<qlonglong>(value))); }
    [[nodiscard]] const QString &problem() const { return problem_; }

private:
    rd_kafka_conf_t *conf_;
    QString problem_;
};

QByteArray mechanismName(KafkaMechanism mechanism)
{
    switch (mechanism) {
    case KafkaMechanism::plain: return "PLAIN";
    case KafkaMechanism::scram_sha_256: return "SCRAM-SHA-256";
    case KafkaMechanism::scram_sha_512: return "SCRAM-SHA-512";
    }
    return {};
}

void fillSecurity(Settings &settings, const KafkaConfig &config)
{
    const bool login = !config.user.isEmpty();
    settings.set("security.protocol",
                 login ? (config.tls ? "sasl_ssl" : "sasl_plaintext") : (config.tls ? "ssl" : "plaintext"));
    if (config.tls && !config.caFile.isEmpty())
        settings.set("ssl.ca.location", config.caFile.toUtf8());
    if (!login)
        return;
    settings.set("sasl.mechanisms", mechanismName(config.mechanism));
    settings.set("sasl.username", config.user.toUtf8());
    settings.set("sasl.password", config.password.reveal().toUtf8());
}

void fill(Settings &settings, const KafkaConfig &config)
{
    settings.set("bootstrap.servers", config.brokers.toUtf8());
    settings.set("client.id", "outbox");
    settings.set("enable.idempotence", "true"); // and with it acks=all
    // The client's own repeats heal a moving leader; what takes longer is the engine's to repeat.
    settings.set("retries", 10);
    settings.set("message.timeout.ms", config.timeout.count());
    settings.set("topic.metadata.propagation.max.ms", std::min<std::int64_t>(config.timeout.count() / 2, 5000));
    settings.set("linger.ms", config.linger.count());
    settings.set("message.max.bytes", config.largestMessage);
    settings.set("queue.buffering.max.messages", 2 * std::int64_t{config.concurrency} + 100);
    settings.set("queue.buffering.max.kbytes", 256 * 1024);
    settings.set("partitioner", "murmur2_random"); // the same partition for a key as every other client
    settings.set("reconnect.backoff.ms", config.reconnect.base.count());
    settings.set("reconnect.backoff.max.ms", config.reconnect.cap.count());
    settings.set("socket.keepalive.enable", "true");
    fillSecurity(settings, config);
}

rd_kafka_vu_t text(rd_kafka_vtype_t type, const QByteArray &value)
{
    rd_kafka_vu_t part{};
    part.vtype = type;
    part.u.cstr = value.constData();
    return part;
}

rd_kafka_vu_t bytes(rd_kafka_vtype_t type, const QByteArray &value)
{
    rd_kafka_vu_t part{};
    part.vtype = type;
    part.u.mem.ptr = const_cast<char *>(value.constData());
    part.u.mem.size = static_cast<std::size_t>(value.size());
    return part;
}

rd_kafka_vu_t pointer(rd_kafka_vtype_t type, void *value)
{
    rd_kafka_vu_t part{};
    part.vtype = type;
    part.u.ptr = value;
    return part;
}

rd_kafka_headers_t *headersFrom(const std::vector<EventAttribute> &attributes)
{
    auto *headers = rd_kafka_headers_new(attributes.size());
    for (const auto &[name, value] : attributes)
        rd_kafka_header_add(headers, name.constData(), name.size(), value.constData(), value.size());
    return headers;
}

} // namespace

Result<std::unique_ptr<KafkaProducer>, QString> KafkaProducer::open(const KafkaConfig &config,
                                                                    std::shared_ptr<KafkaMailbox> mailbox)
{
    std::unique_ptr<KafkaProducer> made(new KafkaProducer(std::move(mailbox)));
    Conf conf(rd_kafka_conf_new());
    Settings settings(conf.get());
    fill(settings, config);
    if (!settings.problem().isEmpty())
        return settings.problem();
    rd_kafka_conf_set_opaque(conf.get(), made->mailbox_.get());
    rd_kafka_conf_set_dr_msg_cb(conf.get(), onReport);
    rd_kafka_conf_set_error_cb(conf.get(), onError);
    rd_kafka_conf_set_log_cb(conf.get(), onLog);
    char text[300];
    made->client_ = rd_kafka_new(RD_KAFKA_PRODUCER, conf.get(), text, sizeof text);
    if (!made->client_)
        return QStringLiteral("the client refuses its settings: ") + QString::fromUtf8(text);
    (void)conf.release(); // the client's now
    made->poller_ = std::thread([producer = made.get()] {
        while (!producer->ending_)
            rd_kafka_poll(producer->client_, pollMilliseconds);
    });
    return made;
}

KafkaProducer::~KafkaProducer()
{
    if (!client_)
        return;
    ending_ = true;
    poller_.join();
    rd_kafka_purge(client_, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    rd_kafka_destroy(client_);
}

rd_kafka_resp_err_t KafkaProducer::produce(const QByteArray &topic, const QByteArray &key,
                                           const std::vector<EventAttribute> &headers, const QByteArray &payload,
                                           delivery::Ticket ticket)
{
    auto *given = headersFrom(headers);
    rd_kafka_vu_t flags{};
    flags.vtype = RD_KAFKA_VTYPE_MSGFLAGS;
    flags.u.i = RD_KAFKA_MSG_F_COPY;
    rd_kafka_vu_t headerPart{};
    headerPart.vtype = RD_KAFKA_VTYPE_HEADERS;
    headerPart.u.headers = given;
    const std::array parts{text(RD_KAFKA_VTYPE_TOPIC, topic),
                           flags,
                           bytes(RD_KAFKA_VTYPE_KEY, key),
                           bytes(RD_KAFKA_VTYPE_VALUE, payload),
                           headerPart,
                           pointer(RD_KAFKA_VTYPE_OPAQUE, reinterpret_cast<void *>(ticket.value()))};
    auto *refused = rd_kafka_produceva(client_, parts.data(), parts.size());
    if (!refused)
        return RD_KAFKA_RESP_ERR_NO_ERROR;
    const auto code = rd_kafka_error_code(refused);
    rd_kafka_error_destroy(refused);
    rd_kafka_headers_destroy(given); // still ours
    return code;
}

} // namespace outbox::destination
