// SPDX-License-Identifier: Apache-2.0
#include "destination/kafka/kafka_outcome.h"

#include <algorithm>

namespace outbox::destination {

using delivery::Accepted;
using delivery::DeliveryOutcome;
using delivery::Failed;
using delivery::NotTried;

namespace {

constexpr qsizetype longestTopic = 249;

FailureCause causeOf(rd_kafka_resp_err_t error)
{
    switch (error) {
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
    case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED: return FailureCause::undeliverable;
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
    case RD_KAFKA_RESP_ERR_INVALID_RECORD:
    case RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP:
    case RD_KAFKA_RESP_ERR_UNSUPPORTED_FOR_MESSAGE_FORMAT: return FailureCause::rejected;
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS:
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND:
    case RD_KAFKA_RESP_ERR_THROTTLING_QUOTA_EXCEEDED:
    case RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR: return FailureCause::busy;
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE:
    case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT: return FailureCause::timeout;
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__SSL:
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION:
    case RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE: return FailureCause::unreachable;
    default: return FailureCause::target_error;
    }
}

/// Ours, not an answer of a broker.
bool isLocal(rd_kafka_resp_err_t error) { return error < 0; }

} // namespace

DeliveryOutcome outcomeOfReport(const KafkaReport &report, const QString &topic, bool away)
{
    if (report.error == RD_KAFKA_RESP_ERR_NO_ERROR)
        return Accepted{};
    auto cause = causeOf(report.error);
    const bool ranOut = cause == FailureCause::timeout || cause == FailureCause::unreachable ||
                        report.error == RD_KAFKA_RESP_ERR__PURGE_QUEUE;
    if (ranOut && isLocal(report.error) && !report.mayBeWritten)
        return NotTried{away ? QStringLiteral("no broker is connected")
                             : QStringLiteral("its time was over before it was sent")};
    if (cause == FailureCause::timeout && away)
        cause = FailureCause::unreachable;
    return Failed{{cause,
                   QStringLiteral("Kafka, topic '%1': %2")
                       .arg(topic.left(longestTopic), QString::fromUtf8(rd_kafka_err2str(report.error))),
                   std::nullopt}};
}

QString topicProblem(const QByteArray &topic)
{
    const bool clean = std::ranges::all_of(topic, [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
               each == '.' || each == '_' || each == '-';
    });
    if (clean && !topic.isEmpty() && topic.size() <= longestTopic && topic != "." && topic != "..")
        return {};
    return QStringLiteral("'%1' is no topic: only letters, digits, '.', '_' and '-', at most %2")
        .arg(QString::fromUtf8(topic.left(longestTopic)))
        .arg(longestTopic);
}

} // namespace outbox::destination
