// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/amqp_destination.h"

#include "base/log.h"
#include "destination/amqp/amqp_close.h"
#include "destination/amqp/amqp_connection.h"
#include "destination/amqp/amqp_properties.h"
#include "destination/deadlines.h"

#include <algorithm>

namespace outbox::destination {

using delivery::Accepted;
using delivery::Delivery;
using delivery::DeliveryOutcome;
using delivery::Failed;
using delivery::NotTried;
using delivery::Ticket;

namespace {

/// What goes out between two looks at whether the socket still takes more.
constexpr qsizetype burst = 32 * 1024;

DeliveryOutcome failed(FailureCause cause, const QString &summary) { return Failed{{cause, summary, std::nullopt}}; }

QString brokerName(const AmqpAddress &address) { return QStringLiteral("%1:%2").arg(address.host).arg(address.port); }

} // namespace

AmqpDestination::AmqpDestination(AmqpConfig config, delivery::OutcomeSink &sink, Random random)
    : Destination(sink), config_(std::move(config)), exchange_(config_.exchange.toUtf8()),
      source_(config_.source.toUtf8()), random_(std::move(random)),
      connector_(QStringLiteral("amqp-connect"),
                 [this](auto opened) {
                     if (opened)
                         onConnected(std::move(opened).value());
                     else
                         onConnectFailed(opened.error());
                 }),
      log_("amqp", brokerName(config_.address))
{
    config_.concurrency = std::max(1, config_.concurrency);
    tick_.setInterval(deadlineTick);
    connect(&tick_, &QTimer::timeout, this, &AmqpDestination::expire);
    heartbeat_.setInterval(std::max(milliseconds{100}, milliseconds(config_.heartbeat) / 3));
    connect(&heartbeat_, &QTimer::timeout, this, &AmqpDestination::read);
    reconnect_.setSingleShot(true);
    connect(&reconnect_, &QTimer::timeout, this, &AmqpDestination::connectNow);
}

AmqpDestination::~AmqpDestination() { dropConnection(); }

void AmqpDestination::onStart()
{
    failures_ = 0;
    connectNow();
}

void AmqpDestination::deliver(std::vector<Delivery> deliveries)
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

void AmqpDestination::connectNow()
{
    connector_.connectBy([config = config_] { return AmqpConnection::open(config); });
}

void AmqpDestination::connectLater()
{
    if (!isRunning())
        return;
    reconnect_.start(failures_ == 0 ? milliseconds{1} : config_.reconnect.wait(failures_, random_));
    ++failures_;
}

void AmqpDestination::onConnectFailed(const QString &reason)
{
    failures_ = std::max(1, failures_);
    log_.down(reason);
    connectLater();
    endIfIdle();
}

void AmqpDestination::onConnected(std::shared_ptr<AmqpConnection> connection)
{
    if (!isRunning()) {
        connection->sayGoodbye();
        connection.reset();
        endIfIdle();
        return;
    }
    connection_ = std::move(connection);
    blocked_ = false;
    expiredInARow_ = 0;
    readable_ = new QSocketNotifier(connection_->socket(), QSocketNotifier::Read, this);
    connect(readable_, &QSocketNotifier::activated, this, &AmqpDestination::read);
    writable_ = new QSocketNotifier(connection_->socket(), QSocketNotifier::Write, this);
    writable_->setEnabled(false);
    connect(writable_, &QSocketNotifier::activated, this, &AmqpDestination::sendWaiting);
    heartbeat_.start();
    if (!closedByBroker_)
        log_.up(config_.exchange);
    Q_EMIT connectionChanged(true);
    sendWaiting();
    read();
}

void AmqpDestination::dropConnection()
{
    if (!connection_)
        return;
    for (auto *notifier : {readable_, writable_}) {
        notifier->setEnabled(false); // before the descriptor is closed and perhaps used anew
        notifier->deleteLater();
    }
    heartbeat_.stop();
    connection_.reset();
}

bool AmqpDestination::mayPublish() const
{
    return connection_ && !blocked_ && !(closedByBroker_ && unconfirmed_.anyOpen());
}

void AmqpDestination::sendWaiting()
{
    if (!mayPublish() || waiting_.isEmpty())
        return;
    const auto connection = connection_;
    const auto now = clock_.now();
    qsizetype room = 0;
    connection->beginBatch();
    while (connection_ == connection && mayPublish() && !waiting_.isEmpty()) {
        if (room <= 0 && !connection->isWritable())
            break;
        room = room <= 0 ? burst : room;
        const Delivery next = waiting_.takeFirst();
        if (isDue(next.deadline.end(), now)) {
            settle(next.ticket, NotTried{QStringLiteral("its time was over before its turn came")});
            continue;
        }
        room -= next.message.payload.size() + 512;
        if (!publish(next))
            return;
    }
    if (connection_ != connection)
        return;
    connection->endBatch();
    writable_->setEnabled(mayPublish() && !waiting_.isEmpty());
    if (connection->hasUnread())
        QMetaObject::invokeMethod(this, &AmqpDestination::read, Qt::QueuedConnection);
}

bool AmqpDestination::publish(const Delivery &delivery)
{
    const AmqpProperties properties(delivery.message, source_);
    const QByteArray key = config_.routingKey.of(delivery.message);
    QString problem = properties.problem();
    if (problem.isEmpty() && key.size() > 255)
        problem = QStringLiteral("the routing key is longer than the 255 bytes that AMQP carries");
    if (problem.isEmpty() && properties.wireSize() > connection_->largestHeader())
        problem = QStringLiteral("the headers are larger than AMQP carries");
    if (!problem.isEmpty()) {
        settle(delivery.ticket, failed(FailureCause::rejected, problem));
        return true;
    }
    unconfirmed_.published({delivery.ticket, delivery.message.id.value(), delivery.deadline.end(),
                            delivery.message.payload.size(), false});
    const auto sent = connection_->publish(exchange_, key, properties.get(), delivery.message.payload);
    if (!sent)
        onLost(sent.error());
    return sent.ok();
}

void AmqpDestination::read()
{
    const auto connection = connection_;
    while (connection && connection_ == connection) {
        const auto event = connection->next();
        if (!event)
            break;
        handle(*event);
    }
    flush();
    endIfIdle();
}

void AmqpDestination::handle(const BrokerEvent &event)
{
    std::visit(overload{
                   [this](const Confirmed &ack) { onConfirm(ack.tag, ack.multiple, Accepted{}); },
                   [this](const Refused &nack) {
                       onConfirm(nack.tag, nack.multiple,
                                 failed(FailureCause::busy, QStringLiteral("the broker could not take it (nack)")));
                   },
                   [this](const Returned &back) { onReturned(back); },
                   [this](const Closed &closed) { onClosed(closed); },
                   [this](const Blocked &why) {
                       blocked_ = true;
                       log::warning("amqp.blocked", {{"broker", brokerName(config_.address)}, {"reason", why.reason}});
                   },
                   [this](const Unblocked &) {
                       blocked_ = false;
                       log::info("amqp.unblocked", {{"broker", brokerName(config_.address)}});
                       sendWaiting();
                   },
                   [this](const Lost &lost) { onLost(lost.reason); },
               },
               event);
}

void AmqpDestination::onConfirm(std::uint64_t tag, bool multiple, const DeliveryOutcome &outcome)
{
    failures_ = 0;
    expiredInARow_ = 0;
    const bool closedBefore = std::exchange(closedByBroker_, false);
    for (const Ticket ticket : unconfirmed_.confirmed(tag, multiple))
        settle(ticket, outcome);
    if (closedBefore) {
        log_.up(config_.exchange);
        sendWaiting();
    }
}

void AmqpDestination::onReturned(const Returned &event)
{
    const auto ticket = unconfirmed_.returned(event.id);
    if (!ticket)
        return; // its time was over before
    settle(*ticket, failed(FailureCause::undeliverable,
                           QStringLiteral("the broker has no queue for it: %1 %2").arg(event.code).arg(event.text)));
}

void AmqpDestination::onClosed(const Closed &event)
{
    dropConnection();
    closedByBroker_ = true;
    const auto open = unconfirmed_.reset();
    auto outcomes = outcomesOfClose(event, open);
    log_.down(QStringLiteral("%1 %2").arg(event.code).arg(event.text));
    Q_EMIT connectionChanged(false);
    connectLater();
    for (std::size_t i = 0; i < open.size(); ++i)
        settle(open[i].ticket, std::move(outcomes[i]));
}

void AmqpDestination::onLost(const QString &reason)
{
    dropConnection();
    const auto open = unconfirmed_.reset();
    log_.down(reason);
    Q_EMIT connectionChanged(false);
    connectLater();
    for (const auto &each : open)
        settle(each.ticket,
               failed(FailureCause::unreachable, QStringLiteral("connection lost before the confirm: %1").arg(reason)));
}

QString AmqpDestination::whyWaiting() const
{
    if (!connection_)
        return QStringLiteral("the broker is not connected");
    if (closedByBroker_)
        return QStringLiteral("the broker closed the channel and has confirmed nothing since");
    return QStringLiteral("the broker takes no messages for now");
}

void AmqpDestination::expire()
{
    const auto now = clock_.now();
    const bool up = connection_ && !blocked_ && !closedByBroker_;
    const auto untried = waiting_.takeOverdue(now, up, config_.patience);
    const auto late = unconfirmed_.expired(now);
    expiredInARow_ += static_cast<int>(late.size());
    for (const Ticket ticket : untried)
        settle(ticket, NotTried{whyWaiting()});
    for (const Ticket ticket : late)
        settle(ticket, failed(FailureCause::timeout, QStringLiteral("no confirm in time")));
    if (connection_ && !blocked_ && expiredInARow_ >= (closedByBroker_ ? 1 : config_.concurrency))
        onLost(QStringLiteral("the broker confirms nothing any more"));
    if (waiting_.isEmpty() && !unconfirmed_.anyOpen())
        tick_.stop();
    flush();
    endIfIdle();
}

void AmqpDestination::onStop()
{
    reconnect_.stop();
    for (const Ticket ticket : waiting_.takeAll())
        settle(ticket, NotTried{QStringLiteral("shutting down")});
    flush();
    endIfIdle();
}

void AmqpDestination::settle(Ticket ticket, DeliveryOutcome outcome)
{
    unflushed_ = true;
    sink().settled(ticket, std::move(outcome));
}

void AmqpDestination::flush()
{
    if (std::exchange(unflushed_, false))
        sink().flush();
}

void AmqpDestination::endIfIdle()
{
    if (!isStopping() || unconfirmed_.anyOpen() || connector_.isConnecting())
        return;
    tick_.stop();
    if (connection_)
        connection_->sayGoodbye();
    dropConnection();
    finishStop();
}

} // namespace outbox::destination
