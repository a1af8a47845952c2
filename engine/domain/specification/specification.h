// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "domain/message.h"
#include "domain/specification/delivery_target.h"
#include "domain/specification/json_pointer.h"
#include "domain/transitions.h"

#include <QDate>
#include <QList>
#include <QString>

#include <variant>

namespace outbox {

/// The stable name of one reaction's specification, such as "notify-warehouse".
using SpecificationId = Strong<struct SpecificationIdTag, QString>;
/// Grows with every change of the document; 1 or more.
using SpecificationVersion = Strong<struct SpecificationVersionTag, std::int32_t>;

/// A message that was committed is delivered, perhaps more than once.
struct AtLeastOnce {};
/// Loss is accepted. Whether operators can repeat the reaction by hand decides if it may use the outbox (S2).
struct BestEffort {
    bool repeatableByHand = false;
};
using DeliveryGuarantee = std::variant<AtLeastOnce, BestEffort>;

/// The receiver drops a repeat by the message's id.
struct DropsByMessageId {};
/// The receiver drops a repeat by a key of the business, named here.
struct DropsByBusinessKey {
    QString key;
};
/// What a message that comes twice does at the target.
using DuplicateBehaviour = std::variant<DropsByMessageId, DropsByBusinessKey>;

/// Automatic retry ends with its attempts or with its horizon, whatever is first.
struct RetryRule {
    Backoff backoff;         ///< base and cap
    RetryPolicy limit;       ///< attempts
    milliseconds horizon{0}; ///< from the commit on; waiting behind a closed destination does not count
};

/// What a dead letter at the head of its key does to those behind it.
enum class DeadHead {
    hold, ///< they wait until somebody replays or skips it
    free, ///< they go on
};
struct Unordered {};
/// Records of one ordering key are delivered in the order of their commits.
struct OrderedPerKey {
    DeadHead deadHead = DeadHead::hold;
};
using Ordering = std::variant<Unordered, OrderedPerKey>;

/// Not decided yet: who decides, and until when (S1).
struct Draft {
    QString decider;
    QDate decideBy; ///< the last day
};
/// Its messages may be staged.
struct Active {};
/// Its messages are staged no more; what waits is still delivered.
struct Retired {};
using SpecificationStatus = std::variant<Draft, Active, Retired>;

/// One type in one version.
struct MessageContract {
    MessageType type;
    SchemaVersion version{1};
    friend bool operator==(const MessageContract &, const MessageContract &) = default;
};

/// How long history stays when a specification does not say it.
constexpr milliseconds usualRetention = std::chrono::hours(24 * 30);

/// What one reaction promises about its deliveries, before a record exists (S1). A value; any thread.
struct Specification {
    SpecificationId id;
    SpecificationVersion version{1};
    QList<MessageContract> messages;
    MessageKind kind;            ///< an integration event without its Event record: each message cites its own
    DestinationName destination; ///< where its messages go
    DeliveryGuarantee guarantee;
    QString boundary; ///< the downstream boundary: whose acceptance ends a delivery
    DuplicateBehaviour duplicates;
    RetryRule retry;
    QString recoveryOwner; ///< who acts when it fails
    QString recordOwner;   ///< whose data the records are
    Ordering ordering;
    QList<JsonPointer> redactions;           ///< left out of every output
    milliseconds retention = usualRetention; ///< dispatched records are kept that long at least
    DeliveryTarget target;
    Limits limits;
    SpecificationStatus status;
};

/// "at_least_once", "best_effort".
std::string_view guaranteeName(const DeliveryGuarantee &guarantee);
/// "message_id", "business_key".
std::string_view duplicatesName(const DuplicateBehaviour &duplicates);
/// "none", "per_key".
std::string_view orderingName(const Ordering &ordering);
/// "hold", "free".
std::string_view deadHeadName(DeadHead rule);
/// "draft", "active", "retired".
std::string_view statusName(const SpecificationStatus &status);

/// Nobody decided in time.
[[nodiscard]] bool isOverdue(const Draft &draft, QDate today);

} // namespace outbox
