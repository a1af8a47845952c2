// SPDX-License-Identifier: Apache-2.0
#include "contract/amqp_queue.h"

namespace outbox::contract {

using destination::AmqpConfig;
using destination::AmqpDestination;
using destination::RoutingKey;

AmqpConfig configFor(int port, const QString &routingKey)
{
    AmqpConfig config;
    config.address.host = QStringLiteral("127.0.0.1");
    config.address.port = port;
    config.address.user = Broker::shared().user();
    config.password = destination::Secret(Broker::shared().password());
    config.routingKey = RoutingKey::parse(routingKey).value();
    config.concurrency = 50;
    config.reconnect = {milliseconds{20}, milliseconds{200}};
    config.patience = milliseconds{300};
    return config;
}

std::unique_ptr<delivery::Destination> Queue::make(delivery::OutcomeSink &sink)
{
    auto made = std::make_unique<AmqpDestination>(configFor(wire.port(), QString::fromUtf8(name)), sink, Random(1));
    QObject::connect(made.get(), &AmqpDestination::connectionChanged, made.get(), [this](bool up) { up_ = up; });
    return made;
}

void Queue::become(Mood mood)
{
    if (std::exchange(mood_, mood) == Mood::unreachable)
        wire.comeBack();
    wire.mend();
    switch (mood) {
    case Mood::accept: return remake(false);
    case Mood::reject: return broker.deleteQueue(name); // mandatory: it comes back
    case Mood::busy: return remake(true);
    case Mood::unreachable: return wire.goAway();
    case Mood::hold: return wire.stallAnswers();
    }
}

std::vector<Received> Queue::take()
{
    std::vector<Received> received;
    for (const auto &each : broker.takeAll(name))
        received.push_back({QString::fromUtf8(each.messageId), QString::fromUtf8(each.type), each.body});
    return received;
}

void Queue::remake(bool full)
{
    broker.deleteQueue(name);
    broker.makeQueue(name, full);
}

} // namespace outbox::contract
