// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogue/catalogue.h"

#include "destination/amqp/amqp_destination.h"
#include "destination/http/http_destination.h"
#include "destination/kafka/kafka_destination.h"
#include "destination/nats/nats_destination.h"

namespace outbox::app {

using delivery::Destination;
using delivery::DestinationEntry;
using delivery::OutcomeSink;

namespace {

// One line a transport: which class is built from which settings.
std::unique_ptr<Destination> build(const destination::HttpConfig &config, OutcomeSink &sink)
{
    return std::make_unique<destination::HttpDestination>(config, sink);
}
std::unique_ptr<Destination> build(const destination::AmqpConfig &config, OutcomeSink &sink)
{
    return std::make_unique<destination::AmqpDestination>(config, sink);
}
std::unique_ptr<Destination> build(const destination::NatsConfig &config, OutcomeSink &sink)
{
    return std::make_unique<destination::NatsDestination>(config, sink);
}
std::unique_ptr<Destination> build(const destination::KafkaConfig &config, OutcomeSink &sink)
{
    return std::make_unique<destination::KafkaDestination>(config, sink);
}

} // namespace

delivery::DestinationCatalogue catalogueOf(const Settings &settings)
{
    delivery::DestinationCatalogue catalogue;
    for (const auto &each : settings.destinations)
        catalogue.push_back(std::visit(
            [&](const auto &config) {
                return DestinationEntry{each.name, config.concurrency,
                                        [config](OutcomeSink &sink) { return build(config, sink); }};
            },
            each.transport));
    return catalogue;
}

} // namespace outbox::app
