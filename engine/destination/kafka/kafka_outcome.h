// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"
#include "destination/kafka/kafka_event.h"

namespace outbox::destination {

/// What a delivery report means: no error is Accepted (S11). No such topic, or no right to write to it, is
/// undeliverable; a message too large or one that the broker finds invalid is rejected (S13). What ran out of
/// time is NotTried when it never left, else unreachable while the brokers are `away`, else timeout. Too few
/// replicas, a full disk and throttling are busy. The rest is the brokers' trouble.
delivery::DeliveryOutcome outcomeOfReport(const KafkaReport &report, const QString &topic, bool away);

/// Why that is no topic; empty: it is one. Letters, digits, ".", "_" and "-", at most 249 of them.
QString topicProblem(const QByteArray &topic);

} // namespace outbox::destination
