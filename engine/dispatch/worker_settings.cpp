// SPDX-License-Identifier: Apache-2.0
#include "dispatch/worker_settings.h"

namespace outbox::dispatch {

QString validate(const WorkerSettings &settings)
{
    using Limits = WorkerLimits;
    if (settings.batch < 1 || settings.batch > Limits::mostBatch)
        return QStringLiteral("batch is %1, but must be 1 to %2").arg(settings.batch).arg(Limits::mostBatch);
    if (settings.lease < Limits::leastLease || settings.lease > Limits::mostLease)
        return QStringLiteral("lease is %1 ms, but must be 2 s to 1 h").arg(settings.lease.count());
    if (settings.answer < milliseconds{1000} || settings.answer > milliseconds{3600000})
        return QStringLiteral("answer is %1 ms, but must be 1 s to 1 h").arg(settings.answer.count());
    if (settings.poll < Limits::leastPoll || settings.poll > Limits::mostPoll)
        return QStringLiteral("poll is %1 ms, but must be 4 s to 60 s").arg(settings.poll.count());
    if (settings.grace < milliseconds{0} || settings.grace > Limits::mostGrace)
        return QStringLiteral("grace is %1 ms, but must be 0 to 10 min").arg(settings.grace.count());
    if (settings.retry.attempts < 1 || settings.retry.attempts > Limits::mostAttempts)
        return QStringLiteral("attempts is %1, but must be 1 to %2")
            .arg(settings.retry.attempts)
            .arg(Limits::mostAttempts);
    if (settings.backoff.base < milliseconds{1} || settings.backoff.cap < settings.backoff.base)
        return QStringLiteral("the retry's base is %1 ms and its cap %2 ms, but base must be positive and at most cap")
            .arg(settings.backoff.base.count())
            .arg(settings.backoff.cap.count());
    return {};
}

} // namespace outbox::dispatch
