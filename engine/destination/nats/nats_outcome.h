// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"
#include "destination/nats/nats_event.h"

namespace outbox::destination {

/// What JetStream's answer to a publish means: an acknowledgement is Accepted, of a duplicate too (S11); no
/// stream for the subject is undeliverable; a message too large or one that a stream's rules refuse is
/// rejected; a full stream or server is busy; anything else is the server's trouble (S13).
delivery::DeliveryOutcome outcomeOfAnswer(const NatsAnswer &answer, const QString &subject);

/// Why that is no subject to publish to; empty: it is one. Spaces, wildcards and empty tokens are not allowed.
QString subjectProblem(const QByteArray &subject);

} // namespace outbox::destination
