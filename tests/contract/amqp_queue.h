// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/broker.h"
#include "contract/target.h"
#include "destination/amqp/amqp_destination.h"
#include "support/tcp_proxy.h"

#include <QUuid>

namespace outbox::contract {

/// The shared broker on that port, with short waits.
destination::AmqpConfig configFor(int port, const QString &routingKey);

/// The other side is a queue of a real broker, behind a wire that can be stalled and cut.
class Queue final : public Target {
public:
    Queue() { broker.makeQueue(name); }
    ~Queue() override { broker.deleteQueue(name); }

    std::unique_ptr<delivery::Destination> make(delivery::OutcomeSink &sink) override;
    bool isReady() override { return up_; }
    void become(Mood mood) override;
    int held() override { return broker.depth(name); }
    void letGo() override { wire.mend(); }
    void cut() override { wire.cut(); }
    std::vector<Received> take() override;

    const QByteArray name = "contract-" + QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    Broker &broker = Broker::shared();
    test::TcpProxy wire{broker.port()};

private:
    void remake(bool full);

    Mood mood_ = Mood::accept;
    bool up_ = false;
};

} // namespace outbox::contract
