// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "destination/cloudevents.h"

#include <amqp.h>

#include <vector>

namespace outbox::destination {

/// A message's AMQP properties and headers: message_id, type, content_type, timestamp (whole seconds),
/// delivery_mode 2, every CloudEvents attribute as a header "cloudEvents:NAME" with a text value, and the
/// trace context under its own names.
/// Valid as long as it lives; it is neither copied nor moved, since the properties point into it.
class AmqpProperties {
public:
    AmqpProperties(const Message &message, const QByteArray &source);
    AmqpProperties(const AmqpProperties &) = delete;
    AmqpProperties &operator=(const AmqpProperties &) = delete;

    [[nodiscard]] const amqp_basic_properties_t &get() const { return properties_; }
    /// An upper bound of what it takes on the wire, in bytes.
    [[nodiscard]] qsizetype wireSize() const;
    /// What of it AMQP cannot carry; empty: all is fine.
    [[nodiscard]] QString problem() const;

private:
    std::vector<EventAttribute> attributes_;
    std::vector<QByteArray> names_;
    std::vector<amqp_table_entry_t> entries_;
    amqp_basic_properties_t properties_{};
};

} // namespace outbox::destination
