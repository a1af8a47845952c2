// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "destination/amqp/amqp_config.h"

#include <amqp.h>

namespace outbox::destination {

/// Takes a fresh connection to an open channel in confirm mode. Blocks, each step at most
/// config.connectTimeout. TLS verifies the broker's certificate and host name, always. The error is a
/// sentence for the log, without secrets.
Result<Done, QString> logIn(amqp_connection_state_t state, amqp_channel_t channel, const AmqpConfig &config);

} // namespace outbox::destination
