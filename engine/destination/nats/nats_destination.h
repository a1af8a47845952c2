// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "delivery/destination.h"
#include "destination/connector.h"
#include "destination/nats/nats_config.h"
#include "destination/nats/nats_event.h"
#include "destination/outage_log.h"
#include "destination/waiting_line.h"

#include <QTimer>

#include <memory>
#include <unordered_map>

namespace outbox::destination {

class NatsConnection;

/// Publishes to JetStream: a message is Accepted when a stream acknowledged it (S11), with many in flight.
/// `Nats-Msg-Id` is the message's id, so that the stream itself drops a repeat within its window; CloudEvents
/// travel in binary mode as `ce-` headers, with the trace context beside them (S10). What an answer means: see
/// nats_outcome.h. No stream for the subject is asked for a few times within half a second, since a cluster
/// that elects a leader answers the same; then it is Failed{undeliverable}.
///
/// A lost connection makes what was sent and not acknowledged Failed{unreachable}. While there is none, a
/// delivery waits up to config.patience (and never beyond its deadline), then it is NotTried. It reconnects
/// by itself, with backoff and jitter; one log line tells when it was lost, one when it is back.
///
/// Connecting happens in a thread of its own, and so does reading. A publish blocks this thread only when the
/// server reads nothing and the socket is full, and then for config.writeTimeout once: the connection is lost
/// after that.
class NatsDestination final : public delivery::Destination {
    Q_OBJECT
public:
    NatsDestination(NatsConfig config, delivery::OutcomeSink &sink, Random random = Random::fromMachine());
    ~NatsDestination() override;

    [[nodiscard]] int concurrency() const override { return config_.concurrency; }
    void deliver(std::vector<delivery::Delivery> deliveries) override;

Q_SIGNALS:
    /// The connection is up, or is not any more: for tests and status.
    void connectionChanged(bool up);

protected:
    void onStart() override;
    /// What is sent goes on until it is acknowledged or its deadline; the rest is NotTried at once.
    void onStop() override;

private:
    struct Flight {
        delivery::Delivery delivery;
        QByteArray subject;
        int tries = 1;
    };
    /// Nobody took it: it is asked for again.
    struct Again {
        Flight flight;
        Instant at;
    };

    void connectNow();
    void connectLater();
    void onConnected(std::unique_ptr<NatsConnection> connection);
    void onConnectFailed(const QString &reason);
    void dropConnection();

    void sendWaiting();
    void send(delivery::Delivery delivery);
    void publish(Flight flight);
    void collect();
    void handle(const NatsAnswer &answer);
    void handle(const NatsDenied &denied);
    void handle(const NatsLost &lost);
    void askAgain();
    void expire();
    [[nodiscard]] bool isIdle() const { return flights_.empty() && again_.empty(); }

    void settle(delivery::Ticket ticket, delivery::DeliveryOutcome outcome);
    void flush();
    void endIfIdle();

    NatsConfig config_;
    QByteArray source_;
    Random random_;
    SteadyClock clock_;
    Connector<NatsConnection> connector_;
    OutageLog log_;
    std::unique_ptr<NatsConnection> connection_; ///< nothing: not up
    WaitingLine waiting_;
    std::unordered_map<const natsMsg *, Flight> flights_;
    std::vector<Again> again_;
    int failures_ = 0;      ///< connections in a row that brought no answer
    int expiredInARow_ = 0; ///< deliveries since the last answer
    bool unflushed_ = false;
    QTimer tick_;
    QTimer reconnect_;
};

} // namespace outbox::destination
