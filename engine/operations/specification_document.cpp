// SPDX-License-Identifier: Apache-2.0
#include "operations/specification_document.h"

#include "base/result.h"

#include <QJsonArray>

namespace outbox::operations {

namespace {

QString nameOf(std::string_view name) { return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())); }
qint64 number(milliseconds span) { return span.count(); }

QJsonArray messagesOf(const QList<MessageContract> &messages)
{
    QJsonArray all;
    for (const auto &each : messages)
        all.append(QJsonObject{{QStringLiteral("type"), each.type.value()},
                               {QStringLiteral("version"), each.version.value()}});
    return all;
}

QJsonObject limitsOf(const Limits &limits)
{
    QJsonArray derived;
    const auto note = [&](LimitOrigin origin, const QString &name) {
        if (origin == LimitOrigin::derived)
            derived.append(name);
    };
    note(limits.pendingAge.origin, QStringLiteral("pending_age"));
    note(limits.pendingCount.origin, QStringLiteral("pending_count"));
    note(limits.failureRate.origin, QStringLiteral("failure_rate"));
    return {{QStringLiteral("pending_age_ms"), number(limits.pendingAge.most)},
            {QStringLiteral("pending_count"), static_cast<qint64>(limits.pendingCount.most)},
            {QStringLiteral("failure_rate"), limits.failureRate.most.value()},
            {QStringLiteral("derived"), derived}};
}

void addChoices(QJsonObject &document, const Specification &specification)
{
    if (const auto *effort = std::get_if<BestEffort>(&specification.guarantee))
        document[QStringLiteral("repeatable_by_hand")] = effort->repeatableByHand;
    if (const auto *by = std::get_if<DropsByBusinessKey>(&specification.duplicates))
        document[QStringLiteral("business_key")] = by->key;
    if (const auto *order = std::get_if<OrderedPerKey>(&specification.ordering))
        document[QStringLiteral("dead_head")] = nameOf(deadHeadName(order->deadHead));
    if (const auto *draft = std::get_if<Draft>(&specification.status)) {
        document[QStringLiteral("decider")] = draft->decider;
        document[QStringLiteral("decide_by")] = draft->decideBy.toString(Qt::ISODate);
    }
}

} // namespace

QJsonObject documentOf(const Specification &specification)
{
    const auto &retry = specification.retry;
    const auto &target = specification.target;
    QJsonArray redactions;
    for (const auto &each : specification.redactions)
        redactions.append(each.text());
    QJsonObject document{
        {QStringLiteral("id"), specification.id.value()},
        {QStringLiteral("version"), specification.version.value()},
        {QStringLiteral("status"), nameOf(statusName(specification.status))},
        {QStringLiteral("kind"), nameOf(kindName(specification.kind))},
        {QStringLiteral("messages"), messagesOf(specification.messages)},
        {QStringLiteral("destination"), specification.destination.value()},
        {QStringLiteral("guarantee"), nameOf(guaranteeName(specification.guarantee))},
        {QStringLiteral("boundary"), specification.boundary},
        {QStringLiteral("duplicates"), nameOf(duplicatesName(specification.duplicates))},
        {QStringLiteral("retry"), QJsonObject{{QStringLiteral("base_ms"), number(retry.backoff.base)},
                                              {QStringLiteral("cap_ms"), number(retry.backoff.cap)},
                                              {QStringLiteral("attempts"), retry.limit.attempts},
                                              {QStringLiteral("horizon_ms"), number(retry.horizon)}}},
        {QStringLiteral("recovery_owner"), specification.recoveryOwner},
        {QStringLiteral("record_owner"), specification.recordOwner},
        {QStringLiteral("ordering"), nameOf(orderingName(specification.ordering))},
        {QStringLiteral("redact"), redactions},
        {QStringLiteral("retention_ms"), number(specification.retention)},
        {QStringLiteral("target"),
         QJsonObject{{QStringLiteral("within_ms"), number(target.within)},
                     {QStringLiteral("share"), target.share.value()},
                     {QStringLiteral("messages_a_minute"), static_cast<qint64>(target.messagesAMinute)}}},
        {QStringLiteral("limits"), limitsOf(specification.limits)},
    };
    addChoices(document, specification);
    return document;
}

} // namespace outbox::operations
