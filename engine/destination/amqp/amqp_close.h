// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "destination/amqp/broker_event.h"
#include "destination/amqp/unconfirmed.h"

#include <vector>

namespace outbox::destination {

/// What it means for the messages that were unconfirmed when the broker closed the channel or the
/// connection, one outcome an entry. AMQP does not say which message it was, but the reply code tells
/// enough: 404 and 403 are about the exchange that all of them went to, renamed or closed to us, and say
/// nothing of the messages (unreachable); 311 and 406 are about one that is too large (the largest is
/// rejected, the rest comes again); 320 is a broker that goes down (unreachable); anything else is the
/// broker's trouble (target_error).
std::vector<delivery::DeliveryOutcome> outcomesOfClose(const Closed &closed,
                                                       const std::vector<Unconfirmed::Entry> &open);

} // namespace outbox::destination
