// SPDX-License-Identifier: Apache-2.0
#include "domain/specification/validate.h"

#include "base/result.h"

#include <QRegularExpression>

namespace outbox {

namespace {

using Problems = QList<SpecificationProblem>;

constexpr qsizetype longestText = 500;

bool isName(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._-]{0,62}\\z"));
    return form.match(text).hasMatch();
}

/// A stable type, not a pattern: no '*' and no white space.
bool isType(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("\\A[^*\\s]{1,200}\\z"));
    return form.match(text).hasMatch();
}

void wantText(Problems &problems, const QString &field, const QString &text, const QString &expected)
{
    if (text.trimmed().isEmpty())
        problems << SpecificationProblem{field, QStringLiteral("missing; expected %1").arg(expected)};
    else if (text.size() > longestText)
        problems << SpecificationProblem{field, QStringLiteral("expected at most %1 characters").arg(longestText)};
}

void wantName(Problems &problems, const QString &field, const QString &name)
{
    if (!isName(name))
        problems << SpecificationProblem{
            field, name.isEmpty()
                       ? QStringLiteral("missing; expected a name of at most 63 letters, digits, dots and dashes")
                       : QStringLiteral("expected a name of at most 63 letters, digits, dots and dashes")};
}

void lookAtMessages(Problems &problems, const QList<MessageContract> &messages)
{
    if (messages.isEmpty())
        problems << SpecificationProblem{
            QStringLiteral("messages"),
            QStringLiteral("missing; expected at least one message type with its versions")};
    for (qsizetype i = 0; i < messages.size(); ++i) {
        const auto &each = messages[i];
        const auto field = [i](const char *name) {
            return QStringLiteral("messages[%1].%2").arg(i).arg(QLatin1String(name));
        };
        if (!isType(each.type.value()))
            problems << SpecificationProblem{
                field("type"), QStringLiteral("expected a message type such as orders.placed, without '*' or spaces")};
        if (each.version.value() < 1)
            problems << SpecificationProblem{field("versions"), QStringLiteral("versions begin at 1")};
        else if (messages.indexOf(each) < i)
            problems << SpecificationProblem{
                field("versions"),
                QStringLiteral("%1 version %2 is named twice").arg(each.type.value()).arg(each.version.value())};
    }
}

void lookAtDuplicates(Problems &problems, const DuplicateBehaviour &duplicates)
{
    std::visit(overload{[](const DropsByMessageId &) {},
                        [&](const DropsByBusinessKey &by) {
                            wantText(problems, QStringLiteral("duplicates.business_key"), by.key,
                                     QStringLiteral("the key by which the receiver drops a repeat"));
                        }},
               duplicates);
}

void lookAtRetry(Problems &problems, const RetryRule &retry)
{
    const auto add = [&](const char *field, const QString &reason) {
        problems << SpecificationProblem{QStringLiteral("retry.") + QLatin1String(field), reason};
    };
    if (retry.backoff.base < milliseconds(1))
        add("base", QStringLiteral("expected at least 1ms"));
    if (retry.backoff.cap < retry.backoff.base)
        add("cap", QStringLiteral("expected at least the base"));
    if (retry.limit.attempts < 1 || retry.limit.attempts > 1000)
        add("attempts", QStringLiteral("expected 1 to 1000"));
    if (retry.horizon <= milliseconds(0))
        add("horizon", QStringLiteral("missing; expected how long a message is retried, such as 24h"));
    else if (retry.horizon < retry.backoff.base)
        add("horizon", QStringLiteral("expected at least the base, or no retry falls into it"));
}

void lookAtTarget(Problems &problems, const DeliveryTarget &target)
{
    const auto add = [&](const char *field, const QString &reason) {
        problems << SpecificationProblem{QStringLiteral("target.") + QLatin1String(field), reason};
    };
    if (target.within <= milliseconds(0))
        add("within", QStringLiteral("missing; expected the time from commit to acceptance, such as 1m"));
    if (!(target.share.value() > 0 && target.share.value() < 1))
        add("share", QStringLiteral("expected more than 0% and less than 100%"));
    if (target.messagesAMinute < 1)
        add("messages_a_minute", QStringLiteral("expected 1 or more"));
}

void lookAtLimits(Problems &problems, const Limits &limits, const DeliveryTarget &target)
{
    const auto add = [&](const char *field, const QString &reason) {
        problems << SpecificationProblem{QStringLiteral("limits.") + QLatin1String(field), reason};
    };
    if (limits.pendingAge.most > target.within)
        add("pending_age",
            QStringLiteral("expected at most target.within: a later alert begins after the target is missed"));
    if (limits.pendingAge.origin == LimitOrigin::stated && limits.pendingAge.most <= milliseconds(0))
        add("pending_age", QStringLiteral("expected more than nothing"));
    if (limits.pendingCount.most < 1)
        add("pending_count", QStringLiteral("expected 1 or more"));
    if (limits.failureRate.origin == LimitOrigin::stated &&
        !(limits.failureRate.most.value() > 0 && limits.failureRate.most.value() < 1))
        add("failure_rate", QStringLiteral("expected more than 0% and less than 100%"));
}

bool needsNoOutbox(const DeliveryGuarantee &guarantee)
{
    const auto *effort = std::get_if<BestEffort>(&guarantee);
    return effort != nullptr && effort->repeatableByHand;
}

void lookAtStatus(Problems &problems, const Specification &specification)
{
    const auto add = [&](const char *field, const QString &reason) {
        problems << SpecificationProblem{QLatin1String(field), reason};
    };
    std::visit(overload{[&](const Draft &draft) {
                            wantText(problems, QStringLiteral("decider"), draft.decider,
                                     QStringLiteral("who decides about this draft"));
                            if (!draft.decideBy.isValid())
                                add("decide_by", QStringLiteral("missing; expected the last day to decide, such as "
                                                                "2027-01-31"));
                        },
                        [&](const Active &) {
                            if (needsNoOutbox(specification.guarantee))
                                add("status",
                                    QStringLiteral("a best-effort reaction that operators can repeat by hand does not "
                                                   "use the outbox; publish it with AfterCommitPublisher and leave it "
                                                   "out, or raise its guarantee"));
                        },
                        [](const Retired &) {}},
               specification.status);
}

} // namespace

QList<SpecificationProblem> problemsOf(const Specification &specification)
{
    Problems problems;
    wantName(problems, QStringLiteral("id"), specification.id.value());
    if (specification.version.value() < 1)
        problems << SpecificationProblem{QStringLiteral("version"), QStringLiteral("versions begin at 1")};
    lookAtMessages(problems, specification.messages);
    wantName(problems, QStringLiteral("destination"), specification.destination.value());
    wantText(problems, QStringLiteral("boundary"), specification.boundary,
             QStringLiteral("the downstream boundary: whose acceptance ends a delivery"));
    lookAtDuplicates(problems, specification.duplicates);
    lookAtRetry(problems, specification.retry);
    wantText(problems, QStringLiteral("recovery_owner"), specification.recoveryOwner,
             QStringLiteral("who acts when a delivery fails"));
    wantText(problems, QStringLiteral("record_owner"), specification.recordOwner,
             QStringLiteral("whose data the records are"));
    if (specification.retention < std::chrono::hours(24))
        problems << SpecificationProblem{QStringLiteral("retention"), QStringLiteral("expected at least 1d")};
    lookAtTarget(problems, specification.target);
    lookAtLimits(problems, specification.limits, specification.target);
    lookAtStatus(problems, specification);
    return problems;
}

} // namespace outbox
