// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settings/section.h"

namespace outbox::app {

// One reader a transport. `transport` has the transport's own key, such as "http", and nothing else. What is
// wrong is noted in the Reading; what is given back then is not to be used.
destination::AmqpConfig readAmqp(const Section &transport);
destination::HttpConfig readHttp(const Section &transport);
destination::KafkaConfig readKafka(const Section &transport);
destination::NatsConfig readNats(const Section &transport);

/// `source`: the CloudEvents source, a URI reference; `otherwise` when it is not said or not one.
QString readSource(const Section &section, const QString &otherwise);
/// A pattern for routing keys, subjects or topics; `otherwise` when it is not said or not one.
destination::NamePattern readPattern(const Section &section, const QString &key,
                                     const destination::NamePattern &otherwise);

} // namespace outbox::app
