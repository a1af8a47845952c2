// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/backoff.h"
#include "base/time.h"
#include "destination/amqp/amqp_config.h"
#include "destination/http/http_config.h"
#include "domain/ids.h"
#include "domain/transitions.h"
#include "store/store_address.h"

#include <QList>
#include <QString>

#include <optional>
#include <variant>

namespace outbox::app {

/// How this computer's worker works. Every value has a default that is right for most.
struct WorkerSettings {
    QString name;              ///< empty: made of host name and process
    int batch = 1000;          ///< records a claim
    milliseconds lease{30000}; ///< how long a claim holds without a word from its worker
    milliseconds poll{4000};   ///< how long an idle worker waits for a wake-up before it looks itself
    milliseconds grace{10000}; ///< how long a stop waits for what is in flight
};

/// One place to deliver to.
struct DestinationSettings {
    DestinationName name;
    std::variant<destination::HttpConfig, destination::AmqpConfig> transport;
};

/// Messages of this type ("orders.placed", "orders.*" or "*") go there; the longest match wins.
struct RouteSettings {
    QString type;
    DestinationName destination;
};

/// All that the settings file says. What it leaves out has its default here.
struct Settings {
    std::optional<store::StoreAddress> store; ///< nothing: not said
    WorkerSettings worker;
    Backoff backoff;   ///< `retry.base` and `retry.cap` (S12)
    RetryPolicy retry; ///< `retry.attempts` (S13)
    QList<DestinationSettings> destinations;
    QList<RouteSettings> routes;
};

} // namespace outbox::app
