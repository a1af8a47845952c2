// SPDX-License-Identifier: Apache-2.0
#include "destination/kafka/kafka_destination.h"

#include "destination/cloudevents.h"
#include "destination/deadlines.h"
#include "destination/kafka/kafka_outcome.h"
#include "destination/kafka/kafka_producer.h"

#include <algorithm>

namespace outbox::destination {

using delivery::Delivery;
using delivery::DeliveryOutcome;
using delivery::Failed;
using delivery::NotTried;
using delivery::Ticket;

namespace {

constexpr milliseconds patience{1000}; ///< for a client that is being replaced

DeliveryOutcome failed(FailureCause cause, const QString &summary) { return Failed{{cause, summary, std::nullopt}}; }

std::vector<EventAttribute> headersOf(const Message &message, const QByteArray &source)
{
    auto headers = eventAttributes(message, source);
    for (auto &each : headers)
        each.name.prepend("ce_");
    headers.push_back({QByteArrayLiteral("content-type"), QByteArray(eventContentType.data())});
    for (auto &each : traceContext(message))
        headers.push_back(std::move(each));
    return headers;
}

QByteArray keyOf(const Message &message)
{
    return message.orderingKey.isEmpty() ? message.id.value().toByteArray(QUuid::WithoutBraces)
                                         : message.orderingKey.toUtf8();
}

} // namespace

KafkaDestination::KafkaDestination(KafkaConfig config, delivery::OutcomeSink &sink, Random random)
    : Destination(sink), config_(std::move(config)), source_(config_.source.toUtf8()), log_("kafka", config_.brokers),
      random_(std::move(random))
{
    config_.concurrency = std::max(1, config_.concurrency);
    tick_.setInterval(deadlineTick);
    connect(&tick_, &QTimer::timeout, this, &KafkaDestination::expire);
    reopen_.setSingleShot(true);
    connect(&reopen_, &QTimer::timeout, this, &KafkaDestination::replace);
}

KafkaDestination::~KafkaDestination() { drop(); }

void KafkaDestination::onStart() { open(); }

void KafkaDestination::open()
{
    auto mailbox = std::make_shared<KafkaMailbox>(this, [this] { collect(); });
    auto opened = KafkaProducer::open(config_, std::move(mailbox));
    if (opened) {
        producer_ = std::move(opened).value();
        return;
    }
    log_.down(opened.error());
    openLater();
}

void KafkaDestination::openLater() { reopen_.start(config_.reconnect.wait(++failures_, random_)); }

void KafkaDestination::replace()
{
    drop();
    for (const auto &[ticket, flight] : std::exchange(flights_, {}))
        settle(Ticket(ticket), failed(FailureCause::target_error, QStringLiteral("the Kafka client ended")));
    if (isRunning())
        open();
    sendWaiting();
    flush();
    endIfIdle();
}

void KafkaDestination::drop()
{
    if (!producer_)
        return;
    producer_->mailbox()->close();
    producer_.reset();
    ended_ = false;
}

void KafkaDestination::deliver(std::vector<Delivery> deliveries)
{
    const auto now = clock_.now();
    for (auto &each : deliveries) {
        if (!isRunning())
            settle(each.ticket, NotTried{QStringLiteral("shutting down")});
        else
            waiting_.add(std::move(each), now);
    }
    if (!waiting_.isEmpty() && !tick_.isActive())
        tick_.start();
    sendWaiting();
    flush();
}

void KafkaDestination::sendWaiting()
{
    while (canSend() && !waiting_.isEmpty() && flights_.size() < static_cast<std::size_t>(config_.concurrency)) {
        Delivery next = waiting_.takeFirst();
        if (produce(next))
            continue;
        waiting_.putBack(std::move(next), clock_.now()); // until the client's queue has room: after some report
        return;
    }
}

bool KafkaDestination::produce(const Delivery &delivery)
{
    const Message &message = delivery.message;
    if (isDue(delivery.deadline.end(), clock_.now())) {
        settle(delivery.ticket, NotTried{QStringLiteral("its time was over before its turn came")});
        return true;
    }
    const QByteArray topic = config_.topic.of(message);
    if (const QString problem = topicProblem(topic); !problem.isEmpty()) {
        settle(delivery.ticket, failed(FailureCause::rejected, problem));
        return true;
    }
    const auto error =
        producer_->produce(topic, keyOf(message), headersOf(message, source_), message.payload, delivery.ticket);
    if (error == RD_KAFKA_RESP_ERR__QUEUE_FULL)
        return false;
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR)
        flights_.emplace(delivery.ticket.value(), Flight{delivery.deadline.end(), topic});
    else
        settle(delivery.ticket, outcomeOfReport({delivery.ticket, error, false}, QString::fromUtf8(topic), away_));
    return true;
}

void KafkaDestination::collect()
{
    if (!producer_)
        return;
    for (const auto &event : producer_->mailbox()->take())
        std::visit([this](const auto &each) { handle(each); }, event);
    sendWaiting();
    flush();
    endIfIdle();
}

void KafkaDestination::handle(const KafkaReport &report)
{
    if (report.error == RD_KAFKA_RESP_ERR_NO_ERROR) {
        if (away_ || !greeted_)
            log_.up(QStringLiteral("the cluster"));
        away_ = false;
        failures_ = 0;
        greeted_ = true;
    }
    const auto found = flights_.find(report.ticket.value());
    if (found == flights_.end())
        return; // its time was over before
    const QString topic = QString::fromUtf8(found->second.topic);
    flights_.erase(found);
    settle(report.ticket, outcomeOfReport(report, topic, away_));
}

void KafkaDestination::handle(const KafkaTrouble &trouble)
{
    if (!trouble.allDown) {
        lastTrouble_ = trouble.reason; // one broker of several may be away without harm
        return;
    }
    away_ = true;
    log_.down(lastTrouble_.isEmpty() ? trouble.reason : lastTrouble_);
}

void KafkaDestination::handle(const KafkaFatal &fatal)
{
    log_.down(QStringLiteral("the client ended: ") + fatal.reason);
    away_ = true;
    if (!std::exchange(ended_, true))
        openLater(); // it still reports what it has
}

void KafkaDestination::expire()
{
    const auto now = clock_.now();
    for (const Ticket ticket : waiting_.takeOverdue(now, canSend(), patience))
        settle(ticket, NotTried{canSend() ? QStringLiteral("its time was over before its turn came")
                                          : QStringLiteral("there is no Kafka client for now")});
    std::vector<Ticket> late;
    for (const auto &[ticket, flight] : flights_)
        if (isDue(flight.end, now))
            late.emplace_back(ticket);
    for (const Ticket ticket : late) {
        flights_.erase(ticket.value());
        settle(ticket, failed(away_ ? FailureCause::unreachable : FailureCause::timeout,
                              QStringLiteral("no delivery report in time")));
    }
    sendWaiting();
    if (waiting_.isEmpty() && flights_.empty())
        tick_.stop();
    flush();
    endIfIdle();
}

void KafkaDestination::onStop()
{
    for (const Ticket ticket : waiting_.takeAll())
        settle(ticket, NotTried{QStringLiteral("shutting down")});
    flush();
    endIfIdle();
}

void KafkaDestination::settle(Ticket ticket, DeliveryOutcome outcome)
{
    unflushed_ = true;
    sink().settled(ticket, std::move(outcome));
}

void KafkaDestination::flush()
{
    if (std::exchange(unflushed_, false))
        sink().flush();
}

void KafkaDestination::endIfIdle()
{
    if (!isStopping() || !flights_.empty())
        return;
    tick_.stop();
    reopen_.stop();
    drop();
    finishStop();
}

} // namespace outbox::destination
