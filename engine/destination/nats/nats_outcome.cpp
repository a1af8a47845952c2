// SPDX-License-Identifier: Apache-2.0
#include "destination/nats/nats_outcome.h"

#include <algorithm>

namespace outbox::destination {

using delivery::Accepted;
using delivery::DeliveryOutcome;
using delivery::Failed;

namespace {

constexpr qsizetype longestSubject = 1024; // a server takes 4096 bytes of subject, reply and sizes

FailureCause causeOf(jsErrCode code)
{
    switch (code) {
    case JSStreamMessageExceedsMaximumErr:
    case JSStreamNotMatchErr:
    case JSStreamWrongLastMsgIDErr:
    case JSStreamWrongLastSequenceErr: return FailureCause::rejected;
    case JSStreamNotFoundErr:
    case JSNotEnabledForAccountErr:
    case JSNotEnabledErr: return FailureCause::undeliverable;
    case JSStreamStoreFailedErr: // "maximum messages exceeded" and the like
    case JSInsufficientResourcesErr:
    case JSStorageResourcesExceededErr:
    case JSMemoryResourcesExceededErr:
    case JSAccountResourcesExceededErr:
    case JSClusterNotAvailErr: return FailureCause::busy;
    default: return FailureCause::target_error;
    }
}

} // namespace

DeliveryOutcome outcomeOfAnswer(const NatsAnswer &answer, const QString &subject)
{
    switch (answer.status) {
    case NATS_OK: return Accepted{};
    case NATS_NO_RESPONDERS:
        return Failed{{FailureCause::undeliverable,
                       QStringLiteral("no JetStream stream takes the subject '%1'").arg(subject.left(200)),
                       std::nullopt}};
    case NATS_TIMEOUT:
        return Failed{{FailureCause::timeout, QStringLiteral("no acknowledgement in time"), std::nullopt}};
    default: break;
    }
    const QString summary = answer.code == 0 ? QString::fromUtf8(natsStatus_GetText(answer.status))
                                             : QStringLiteral("%1 %2").arg(int{answer.code}).arg(answer.text);
    return Failed{{causeOf(answer.code), QStringLiteral("JetStream refused it: ") + summary, std::nullopt}};
}

QString subjectProblem(const QByteArray &subject)
{
    if (subject.size() > longestSubject)
        return QStringLiteral("the subject is longer than %1 bytes").arg(longestSubject);
    const bool cleanText = std::ranges::all_of(subject, [](char each) {
        return static_cast<unsigned char>(each) > 0x20 && each != 0x7f && each != '*' && each != '>';
    });
    if (cleanText && !subject.isEmpty() && !subject.startsWith('.') && !subject.endsWith('.') &&
        !subject.contains(".."))
        return {};
    return QStringLiteral("'%1' is no subject: spaces, '*', '>' and empty parts are not allowed")
        .arg(QString::fromUtf8(subject.left(200)));
}

} // namespace outbox::destination
