// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "delivery/destination.h"
#include "destination/amqp/amqp_config.h"
#include "destination/amqp/broker_event.h"
#include "destination/amqp/unconfirmed.h"
#include "destination/connector.h"
#include "destination/outage_log.h"
#include "destination/waiting_line.h"

#include <QSocketNotifier>
#include <QTimer>

#include <memory>

namespace outbox::destination {

class AmqpConnection;

/// Publishes to one exchange of an AMQP 0-9-1 broker, persistently and `mandatory`, with publisher
/// confirms: a message is Accepted when the broker confirmed it (S11), with many in flight. Properties
/// and headers: see amqp_properties.h.
///
/// basic.return (no queue) is Failed{undeliverable}; basic.nack is Failed{busy}; a closed channel: see
/// amqp_close.h. A lost connection makes what was sent and not confirmed Failed{unreachable}. Nothing
/// else uses up an attempt: while the connection is not up, or the broker has blocked publishing, a
/// delivery waits up to config.patience (and never beyond its deadline), then it is NotTried. So a short
/// interruption costs nothing, and a long one does not make anybody claim and release in a tight loop.
/// The same while a broker closes channel after channel, because the exchange is missing or forbidden:
/// each new one carries a single message until one is confirmed.
/// It reconnects by itself, with backoff and jitter; one log line tells when it was lost, one when it is
/// back.
///
/// Connecting happens in a thread of its own. A publish goes out only when the socket has room, so a
/// broker that reads slowly holds up nothing but its own queue; a payload larger than the socket's buffer
/// may block this thread, at the longest until the broker has been silent for two heartbeats.
class AmqpDestination final : public delivery::Destination {
    Q_OBJECT
public:
    AmqpDestination(AmqpConfig config, delivery::OutcomeSink &sink, Random random = Random::fromMachine());
    ~AmqpDestination() override;

    [[nodiscard]] int concurrency() const override { return config_.concurrency; }
    void deliver(std::vector<delivery::Delivery> deliveries) override;

Q_SIGNALS:
    /// The connection is up, or is not any more: for tests and status.
    void connectionChanged(bool up);

protected:
    void onStart() override;
    /// What is sent goes on until it is confirmed or its deadline; the rest is NotTried at once.
    void onStop() override;

private:
    void connectNow();
    void connectLater();
    void onConnected(std::shared_ptr<AmqpConnection> connection);
    void onConnectFailed(const QString &reason);
    void dropConnection();

    /// After the broker closed the channel, one message at a time until it confirms one: what was wrong, such as
    /// a missing exchange, would be wrong for all of them.
    [[nodiscard]] bool mayPublish() const;
    [[nodiscard]] QString whyWaiting() const;
    void sendWaiting();
    [[nodiscard]] bool publish(const delivery::Delivery &delivery);
    void read();
    void handle(const BrokerEvent &event);
    void onConfirm(std::uint64_t tag, bool multiple, const delivery::DeliveryOutcome &outcome);
    void onReturned(const Returned &event);
    void onClosed(const Closed &event);
    void onLost(const QString &reason);
    void expire();

    void settle(delivery::Ticket ticket, delivery::DeliveryOutcome outcome);
    void flush();
    void endIfIdle();

    AmqpConfig config_;
    QByteArray exchange_;
    QByteArray source_;
    Random random_;
    SteadyClock clock_;
    Connector<AmqpConnection> connector_;
    OutageLog log_;
    std::shared_ptr<AmqpConnection> connection_; ///< nothing: not up
    QSocketNotifier *readable_ = nullptr;
    QSocketNotifier *writable_ = nullptr;
    WaitingLine waiting_;
    Unconfirmed unconfirmed_;
    bool blocked_ = false;
    int failures_ = 0;            ///< connections in a row that brought no confirm
    int expiredInARow_ = 0;       ///< deliveries since the last confirm
    bool closedByBroker_ = false; ///< and no confirm since: a mere connection is not worth a line
    bool unflushed_ = false;
    QTimer tick_;
    QTimer heartbeat_;
    QTimer reconnect_;
};

} // namespace outbox::destination
