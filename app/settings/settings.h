// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "destination/amqp/amqp_config.h"
#include "destination/http/http_config.h"
#include "destination/kafka/kafka_config.h"
#include "destination/nats/nats_config.h"
#include "dispatch/worker_settings.h"
#include "domain/ids.h"
#include "store/store_address.h"

#include <QList>
#include <QString>

#include <optional>
#include <variant>

namespace outbox::app {

/// One place to deliver to.
struct DestinationSettings {
    DestinationName name;
    std::variant<destination::HttpConfig, destination::AmqpConfig, destination::NatsConfig, destination::KafkaConfig>
        transport;
};

/// All that the settings file says. What it leaves out has its default here.
struct Settings {
    std::optional<store::StoreAddress> store; ///< nothing: not said
    dispatch::WorkerSettings worker;          ///< `worker`, `retry` (S12, S13) and `routes`
    QList<DestinationSettings> destinations;
};

} // namespace outbox::app
