// SPDX-License-Identifier: Apache-2.0
#include "destination/nats/nats_destination.h"

#include "destination/cloudevents.h"
#include "destination/deadlines.h"
#include "destination/nats/nats_connection.h"
#include "destination/nats/nats_outcome.h"

#include <algorithm>

namespace outbox::destination {

using delivery::Delivery;
using delivery::DeliveryOutcome;
using delivery::Failed;
using delivery::NotTried;
using delivery::Ticket;

namespace {

constexpr int mostTries = 3;
constexpr milliseconds betweenTries{250};

DeliveryOutcome failed(FailureCause cause, const QString &summary) { return Failed{{cause, summary, std::nullopt}}; }

std::vector<EventAttribute> headersOf(const Message &message, const QByteArray &source)
{
    auto headers = eventHeaders(message, source);
    headers.push_back({QByteArrayLiteral("content-type"), QByteArray(eventContentType.data())});
    for (auto &each : traceContext(message))
        headers.push_back(std::move(each));
    return headers;
}

/// An upper bound of what a message takes on the wire, in bytes.
qsizetype wireSize(const std::vector<EventAttribute> &headers, const QByteArray &payload)
{
    qsizetype size = payload.size() + 128; // first line and Nats-Msg-Id
    for (const auto &[name, value] : headers)
        size += name.size() + value.size() + 4;
    return size;
}

} // namespace

NatsDestination::NatsDestination(NatsConfig config, delivery::OutcomeSink &sink, Random random)
    : Destination(sink), config_(std::move(config)), source_(config_.source.toUtf8()), random_(std::move(random)),
      connector_(QStringLiteral("nats-connect"),
                 [this](auto opened) {
                     if (opened)
                         onConnected(std::move(opened).value());
                     else
                         onConnectFailed(opened.error());
                 }),
      log_("nats", QStringLiteral("%1:%2").arg(config_.address.host).arg(config_.address.port))
{
    config_.concurrency = std::max(1, config_.concurrency);
    tick_.setInterval(deadlineTick);
    connect(&tick_, &QTimer::timeout, this, &NatsDestination::expire);
    reconnect_.setSingleShot(true);
    connect(&reconnect_, &QTimer::timeout, this, &NatsDestination::connectNow);
}

NatsDestination::~NatsDestination() { dropConnection(); }

void NatsDestination::onStart()
{
    failures_ = 0;
    connectNow();
}

void NatsDestination::deliver(std::vector<Delivery> deliveries)
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

void NatsDestination::connectNow()
{
    auto mailbox = std::make_shared<NatsMailbox>(this, [this] { collect(); });
    connector_.connectBy([config = config_, mailbox] { return NatsConnection::open(config, mailbox); });
}

void NatsDestination::connectLater()
{
    if (!isRunning())
        return;
    reconnect_.start(failures_ == 0 ? milliseconds{1} : config_.reconnect.wait(failures_, random_));
    ++failures_;
}

void NatsDestination::onConnectFailed(const QString &reason)
{
    failures_ = std::max(1, failures_);
    log_.down(reason);
    connectLater();
    endIfIdle();
}

void NatsDestination::onConnected(std::unique_ptr<NatsConnection> connection)
{
    if (!isRunning()) {
        connection.reset();
        endIfIdle();
        return;
    }
    connection_ = std::move(connection);
    expiredInARow_ = 0;
    log_.up(QStringLiteral("JetStream"));
    Q_EMIT connectionChanged(true);
    sendWaiting();
    collect(); // it may have been lost already
}

void NatsDestination::dropConnection()
{
    if (!connection_)
        return;
    connection_->mailbox()->close();
    connection_.reset();
}

void NatsDestination::sendWaiting()
{
    while (connection_ && !waiting_.isEmpty() && flights_.size() < static_cast<std::size_t>(config_.concurrency))
        send(waiting_.takeFirst());
}

void NatsDestination::send(Delivery delivery)
{
    const Ticket ticket = delivery.ticket;
    if (isDue(delivery.deadline.end(), clock_.now())) {
        settle(ticket, NotTried{QStringLiteral("its time was over before its turn came")});
        return;
    }
    Flight flight{std::move(delivery), {}, 1};
    flight.subject = config_.subject.of(flight.delivery.message);
    if (const QString problem = subjectProblem(flight.subject); !problem.isEmpty()) {
        settle(ticket, failed(FailureCause::rejected, problem));
        return;
    }
    publish(std::move(flight));
}

void NatsDestination::publish(Flight flight)
{
    const Message &message = flight.delivery.message;
    const Ticket ticket = flight.delivery.ticket;
    const auto headers = headersOf(message, source_);
    if (wireSize(headers, message.payload) > connection_->largestMessage()) {
        settle(ticket,
               failed(FailureCause::rejected, QStringLiteral("the message is larger than the %1 bytes the server takes")
                                                  .arg(connection_->largestMessage())));
        return;
    }
    // The library's own limit comes last: it only has to forget the message.
    const auto limit = flight.delivery.deadline.remaining(clock_.now()) + seconds{1};
    const auto sent = connection_->publish(flight.subject, message.id.value().toByteArray(QUuid::WithoutBraces),
                                           headers, message.payload, limit);
    if (sent) {
        flights_.emplace(sent.value(), std::move(flight));
        return;
    }
    settle(ticket, failed(FailureCause::unreachable, QStringLiteral("sending failed: %1").arg(sent.error())));
    handle(NatsLost{sent.error()});
}

void NatsDestination::collect()
{
    if (!connection_)
        return;
    for (const auto &event : connection_->mailbox()->take()) {
        std::visit([this](const auto &each) { handle(each); }, event);
        if (!connection_)
            break; // what is left was settled with it
    }
    sendWaiting();
    flush();
    endIfIdle();
}

void NatsDestination::handle(const NatsAnswer &answer)
{
    const auto found = flights_.find(answer.message.get());
    if (found == flights_.end())
        return; // its time was over before
    Flight flight = std::move(found->second);
    flights_.erase(found);
    failures_ = 0;
    expiredInARow_ = 0;
    if (answer.status == NATS_NO_RESPONDERS && flight.tries < mostTries && isRunning()) {
        ++flight.tries;
        again_.push_back({std::move(flight), clock_.now() + betweenTries});
        return;
    }
    settle(flight.delivery.ticket, outcomeOfAnswer(answer, QString::fromUtf8(flight.subject)));
}

void NatsDestination::handle(const NatsDenied &denied)
{
    const QByteArray subject = denied.subject.toUtf8();
    std::vector<Ticket> affected;
    for (const auto &[message, flight] : flights_)
        if (flight.subject == subject)
            affected.push_back(flight.delivery.ticket);
    std::erase_if(flights_, [&](const auto &each) { return each.second.subject == subject; });
    for (const Ticket ticket : affected)
        settle(ticket, failed(FailureCause::undeliverable,
                              QStringLiteral("the server does not permit publishing to '%1'").arg(denied.subject)));
}

void NatsDestination::handle(const NatsLost &lost)
{
    dropConnection();
    log_.down(lost.reason);
    Q_EMIT connectionChanged(false);
    connectLater();
    for (const auto &[message, flight] : std::exchange(flights_, {}))
        settle(flight.delivery.ticket,
               failed(FailureCause::unreachable,
                      QStringLiteral("connection lost before the acknowledgement: %1").arg(lost.reason)));
    for (const auto &each : std::exchange(again_, {}))
        settle(each.flight.delivery.ticket,
               failed(FailureCause::unreachable, QStringLiteral("connection lost while no stream took it")));
}

void NatsDestination::askAgain()
{
    const auto now = clock_.now();
    std::vector<Again> due;
    std::erase_if(again_, [&](Again &each) {
        if (each.at > now)
            return false;
        due.push_back(std::move(each));
        return true;
    });
    for (auto &each : due) {
        if (!connection_)
            settle(each.flight.delivery.ticket,
                   failed(FailureCause::unreachable, QStringLiteral("connection lost while no stream took it")));
        else
            publish(std::move(each.flight));
    }
}

void NatsDestination::expire()
{
    const auto now = clock_.now();
    for (const Ticket ticket : waiting_.takeOverdue(now, connection_ != nullptr, config_.patience))
        settle(ticket, NotTried{connection_ ? QStringLiteral("its time was over before its turn came")
                                            : QStringLiteral("the server is not connected")});
    std::vector<Ticket> late;
    for (const auto &[message, flight] : flights_)
        if (isDue(flight.delivery.deadline.end(), now))
            late.push_back(flight.delivery.ticket);
    expiredInARow_ += static_cast<int>(late.size());
    for (const auto &each : again_)
        if (isDue(each.flight.delivery.deadline.end(), now))
            late.push_back(each.flight.delivery.ticket);
    std::erase_if(flights_, [&](const auto &each) { return isDue(each.second.delivery.deadline.end(), now); });
    std::erase_if(again_, [&](const auto &each) { return isDue(each.flight.delivery.deadline.end(), now); });
    for (const Ticket ticket : late)
        settle(ticket, failed(FailureCause::timeout, QStringLiteral("no acknowledgement in time")));
    askAgain();
    if (connection_ && expiredInARow_ >= config_.concurrency)
        handle(NatsLost{QStringLiteral("the server acknowledges nothing any more")});
    sendWaiting();
    if (waiting_.isEmpty() && isIdle())
        tick_.stop();
    flush();
    endIfIdle();
}

void NatsDestination::onStop()
{
    reconnect_.stop();
    for (const Ticket ticket : waiting_.takeAll())
        settle(ticket, NotTried{QStringLiteral("shutting down")});
    for (const auto &each : std::exchange(again_, {}))
        settle(each.flight.delivery.ticket, NotTried{QStringLiteral("shutting down")});
    flush();
    endIfIdle();
}

void NatsDestination::settle(Ticket ticket, DeliveryOutcome outcome)
{
    unflushed_ = true;
    sink().settled(ticket, std::move(outcome));
}

void NatsDestination::flush()
{
    if (std::exchange(unflushed_, false))
        sink().flush();
}

void NatsDestination::endIfIdle()
{
    if (!isStopping() || !isIdle() || connector_.isConnecting())
        return;
    tick_.stop();
    dropConnection();
    finishStop();
}

} // namespace outbox::destination
