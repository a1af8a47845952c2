// SPDX-License-Identifier: GPL-3.0-or-later
#include "specification/promise.h"

#include "specification/values.h"

namespace outbox::app {

namespace {

const auto guaranteeKey = QStringLiteral("guarantee");
const auto byHandKey = QStringLiteral("repeatable_by_hand");
const auto boundaryKey = QStringLiteral("boundary");
const auto duplicatesKey = QStringLiteral("duplicates");
const auto retryKey = QStringLiteral("retry");
const auto recoveryOwnerKey = QStringLiteral("recovery_owner");
const auto recordOwnerKey = QStringLiteral("record_owner");
const auto orderingKey = QStringLiteral("ordering");
const auto retentionKey = QStringLiteral("retention");
const auto targetKey = QStringLiteral("target");
const auto limitsKey = QStringLiteral("limits");

constexpr milliseconds year = std::chrono::hours(24 * 365);
constexpr int mostMessages = 1'000'000'000;

DeliveryGuarantee readGuarantee(Section &root)
{
    root.require(guaranteeKey, QStringLiteral("at_least_once or best_effort"));
    const auto at = choice(root, guaranteeKey, {QStringLiteral("at_least_once"), QStringLiteral("best_effort")});
    if (at == 1) {
        root.require(byHandKey,
                     QStringLiteral("true or false: can operators repeat this best-effort reaction by hand?"));
        return BestEffort{truth(root, byHandKey).value_or(false)};
    }
    if (at && root.has(byHandKey))
        root.fail(byHandKey, QStringLiteral("only a best_effort guarantee says so; leave it out"));
    return AtLeastOnce{};
}

DuplicateBehaviour readDuplicates(Section &root)
{
    const auto businessKey = QStringLiteral("business_key");
    root.require(duplicatesKey,
                 QStringLiteral("message_id or {business_key: NAME}: by what the receiver drops a repeat"));
    if (!root.has(duplicatesKey))
        return DropsByMessageId{};
    if (root.node(duplicatesKey).IsMap()) {
        Section section = root.section(duplicatesKey, {businessKey});
        section.require(businessKey, QStringLiteral("the key by which the receiver drops a repeat"));
        return DropsByBusinessKey{section.text(businessKey).value_or(QString())};
    }
    if (root.text(duplicatesKey) != QStringLiteral("message_id"))
        root.fail(duplicatesKey, QStringLiteral("expected message_id or {business_key: NAME}"));
    return DropsByMessageId{};
}

RetryRule readRetry(Section &root)
{
    RetryRule retry;
    const auto horizonKey = QStringLiteral("horizon");
    root.require(retryKey, QStringLiteral("{horizon: ...}, and perhaps base, cap, attempts"));
    if (!root.has(retryKey))
        return retry;
    Section section =
        root.section(retryKey, {QStringLiteral("base"), QStringLiteral("cap"), QStringLiteral("attempts"), horizonKey});
    section.require(horizonKey, QStringLiteral("how long a message is retried, such as 24h"));
    retry.horizon = section.duration(horizonKey, milliseconds(1), year).value_or(milliseconds(0));
    retry.backoff.base = section.duration(QStringLiteral("base"), milliseconds(1), year).value_or(retry.backoff.base);
    const auto cap = section.duration(QStringLiteral("cap"), milliseconds(1), year);
    retry.backoff.cap = cap.value_or(std::max(retry.backoff.cap, retry.backoff.base));
    retry.limit.attempts = section.number(QStringLiteral("attempts"), 1, 1000).value_or(retry.limit.attempts);
    return retry;
}

Ordering readOrdering(const Section &root)
{
    const auto perKey = QStringLiteral("per_key");
    if (!root.has(orderingKey))
        return Unordered{};
    if (root.node(orderingKey).IsMap()) {
        Section section = root.section(orderingKey, {perKey});
        section.require(perKey, QStringLiteral("hold or free: what a dead letter does to those behind it"));
        const auto rule = choice(section, perKey, {QStringLiteral("hold"), QStringLiteral("free")});
        return OrderedPerKey{rule == 1 ? DeadHead::free : DeadHead::hold};
    }
    if (root.text(orderingKey) != QStringLiteral("none"))
        root.fail(orderingKey, QStringLiteral("expected none, {per_key: hold} or {per_key: free}"));
    return Unordered{};
}

DeliveryTarget readTarget(Section &root)
{
    const auto withinKey = QStringLiteral("within");
    const auto shareKey = QStringLiteral("share");
    const auto messagesKey = QStringLiteral("messages_a_minute");
    root.require(targetKey, QStringLiteral("{within: 1m, share: 99.9%, messages_a_minute: 600}"));
    if (!root.has(targetKey))
        return {};
    Section section = root.section(targetKey, {withinKey, shareKey, messagesKey});
    section.require(withinKey, QStringLiteral("the time from commit to acceptance, such as 1m"));
    section.require(shareKey, QStringLiteral("the share of messages that arrive in time, such as 99.9%"));
    section.require(messagesKey, QStringLiteral("how many messages a minute there are at the busiest"));
    return {section.duration(withinKey, milliseconds(1), year).value_or(milliseconds(0)),
            percentage(section, shareKey).value_or(Share(0)), section.number(messagesKey, 1, mostMessages).value_or(0)};
}

StatedLimits readLimits(const Section &root)
{
    const auto ageKey = QStringLiteral("pending_age");
    const auto countKey = QStringLiteral("pending_count");
    const auto rateKey = QStringLiteral("failure_rate");
    if (!root.has(limitsKey))
        return {};
    const Section section = root.section(limitsKey, {ageKey, countKey, rateKey});
    StatedLimits stated;
    stated.pendingAge = section.duration(ageKey, milliseconds(1), year);
    if (const auto count = section.number(countKey, 1, mostMessages))
        stated.pendingCount = *count;
    stated.failureRate = percentage(section, rateKey);
    return stated;
}

} // namespace

const QStringList &promiseKeys()
{
    static const QStringList all{guaranteeKey,   byHandKey,   boundaryKey,  duplicatesKey, retryKey, recoveryOwnerKey,
                                 recordOwnerKey, orderingKey, retentionKey, targetKey,     limitsKey};
    return all;
}

void readPromise(Section &root, Specification &specification)
{
    specification.guarantee = readGuarantee(root);
    root.require(boundaryKey, QStringLiteral("the downstream boundary: whose acceptance ends a delivery"));
    specification.boundary = root.text(boundaryKey).value_or(QString());
    specification.duplicates = readDuplicates(root);
    specification.retry = readRetry(root);
    root.require(recoveryOwnerKey, QStringLiteral("who acts when a delivery fails"));
    specification.recoveryOwner = root.text(recoveryOwnerKey).value_or(QString());
    root.require(recordOwnerKey, QStringLiteral("whose data the records are"));
    specification.recordOwner = root.text(recordOwnerKey).value_or(QString());
    specification.ordering = readOrdering(root);
    specification.retention =
        root.duration(retentionKey, std::chrono::hours(24), 10 * year).value_or(specification.retention);
    specification.target = readTarget(root);
    specification.limits = deriveLimits(specification.target, readLimits(root));
}

} // namespace outbox::app
