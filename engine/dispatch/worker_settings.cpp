// SPDX-License-Identifier: Apache-2.0
#include "dispatch/worker_settings.h"

namespace outbox::dispatch {

QString validate(const WorkerSettings &settings)
{
    if (settings.batch < 1 || settings.batch > 5000)
        return QStringLiteral("batch is %1, but must be 1 to 5000").arg(settings.batch);
    if (settings.lease < milliseconds{2000} || settings.lease > milliseconds{3600000})
        return QStringLiteral("lease is %1 ms, but must be 2 s to 1 h").arg(settings.lease.count());
    if (settings.answer < milliseconds{1000} || settings.answer > milliseconds{3600000})
        return QStringLiteral("answer is %1 ms, but must be 1 s to 1 h").arg(settings.answer.count());
    if (settings.poll < milliseconds{2500} || settings.poll > milliseconds{60000})
        return QStringLiteral("poll is %1 ms, but must be 2.5 s to 60 s").arg(settings.poll.count());
    if (settings.grace < milliseconds{0} || settings.grace > milliseconds{600000})
        return QStringLiteral("grace is %1 ms, but must be 0 to 10 min").arg(settings.grace.count());
    if (settings.retry.attempts < 1 || settings.retry.attempts > 1000)
        return QStringLiteral("attempts is %1, but must be 1 to 1000").arg(settings.retry.attempts);
    if (settings.backoff.base < milliseconds{1} || settings.backoff.cap < settings.backoff.base)
        return QStringLiteral("the retry's base is %1 ms and its cap %2 ms, but base must be positive and at most cap")
            .arg(settings.backoff.base.count())
            .arg(settings.backoff.cap.count());
    return {};
}

} // namespace outbox::dispatch
