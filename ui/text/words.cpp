// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/words.h"

#include "base/result.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>

namespace outbox::ui::text {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(outbox::ui::text)
};

QDateTime local(Timestamp at)
{
    return QDateTime::fromMSecsSinceEpoch(std::chrono::floor<milliseconds>(at).time_since_epoch().count());
}

} // namespace

milliseconds between(Timestamp from, Timestamp to)
{
    return std::max(milliseconds{0}, std::chrono::duration_cast<milliseconds>(to - from));
}

QString duration(milliseconds span)
{
    const QLocale locale;
    const auto ms = std::max<std::int64_t>(0, span.count());
    if (ms < 1000)
        return Words::tr("%1 ms").arg(ms);
    if (ms < 10'000)
        return Words::tr("%1 s").arg(locale.toString(double(ms) / 1000, 'f', 1));
    if (ms < 120'000)
        return Words::tr("%1 s").arg(ms / 1000);
    const auto minutes = ms / 60'000;
    if (minutes < 60)
        return Words::tr("%1 min").arg(minutes);
    const auto hours = minutes / 60;
    if (hours < 24)
        return minutes % 60 == 0 ? Words::tr("%1 h").arg(hours) : Words::tr("%1 h %2 min").arg(hours).arg(minutes % 60);
    return hours % 24 == 0 ? Words::tr("%1 d").arg(hours / 24) : Words::tr("%1 d %2 h").arg(hours / 24).arg(hours % 24);
}

QString number(std::int64_t value) { return QLocale().toString(qlonglong{value}); }

QString number(const api::Count &count)
{
    return count.exact ? number(count.value) : Words::tr("over %1").arg(number(count.value));
}

QString records(std::int64_t count)
{
    return count == 1 ? Words::tr("1 record") : Words::tr("%1 records").arg(number(count));
}

QString rate(double perSecond)
{
    const double size = std::abs(perSecond);
    return QLocale().toString(perSecond, 'f', size > 0 && size < 10 ? 1 : 0);
}

QString clock(Timestamp at)
{
    const QDateTime time = local(at);
    const QLocale locale;
    if (time.date() == QDate::currentDate())
        return locale.toString(time, QStringLiteral("HH:mm:ss"));
    return locale.toString(time, QStringLiteral("d MMM HH:mm:ss"));
}

QString moment(Timestamp at) { return local(at).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")); }

QString utc(Timestamp at) { return local(at).toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz 'UTC'")); }

QString stateText(StateKind state)
{
    switch (state) {
    case StateKind::pending: return Words::tr("Pending");
    case StateKind::processing: return Words::tr("Processing");
    case StateKind::dispatched: return Words::tr("Dispatched");
    case StateKind::dead_letter: break;
    }
    return Words::tr("Dead letter");
}

QString stateSymbol(StateKind state)
{
    switch (state) {
    case StateKind::pending: return QStringLiteral("●");
    case StateKind::processing: return QStringLiteral("◆");
    case StateKind::dispatched: return QStringLiteral("✓");
    case StateKind::dead_letter: break;
    }
    return QStringLiteral("✖");
}

QString causeText(FailureCause cause)
{
    switch (cause) {
    case FailureCause::rejected: return Words::tr("rejected by the destination");
    case FailureCause::undeliverable: return Words::tr("cannot be delivered");
    case FailureCause::timeout: return Words::tr("no answer in time");
    case FailureCause::unreachable: return Words::tr("destination not reached");
    case FailureCause::busy: return Words::tr("destination busy");
    case FailureCause::target_error: return Words::tr("error at the destination");
    case FailureCause::lease_expired: return Words::tr("lease expired");
    case FailureCause::no_reader: break;
    }
    return Words::tr("no reader for this version");
}

QString kindText(const MessageKind &kind)
{
    return std::visit(overload{
                          [](const IntegrationEvent &) { return Words::tr("integration event"); },
                          [](const JourneyStepCommand &) { return Words::tr("journey-step command"); },
                          [](const ProviderSideEffect &) { return Words::tr("provider side effect"); },
                      },
                      kind);
}

QString kindText(const QString &kind)
{
    const auto known = outbox::kindFromName(kind.toStdString(), {});
    return known ? kindText(*known) : kind;
}

QString typeName(const QString &type, int version) { return Words::tr("%1 v%2").arg(type).arg(version); }

QString destinationName(const QString &destination)
{
    return destination.isEmpty() ? Words::tr("no route yet") : destination;
}

QString due(const OutboxState &state, Timestamp now)
{
    return std::visit(overload{
                          [&](const Pending &s) {
                              return s.nextAttemptAt <= now
                                         ? Words::tr("now")
                                         : Words::tr("in %1").arg(duration(between(now, s.nextAttemptAt)));
                          },
                          [&](const Processing &s) {
                              return s.lease.expiresAt <= now
                                         ? Words::tr("lease over")
                                         : Words::tr("lease %1").arg(duration(between(now, s.lease.expiresAt)));
                          },
                          [](const Dispatched &) { return QStringLiteral("–"); },
                          [](const DeadLetter &) { return QStringLiteral("–"); },
                      },
                      state);
}

int attempts(const OutboxState &state)
{
    return std::visit(overload{
                          [](const Pending &s) { return s.attempts; },
                          [](const Processing &s) { return s.attempt; },
                          [](const Dispatched &s) { return s.attempt; },
                          [](const DeadLetter &s) { return s.attempts; },
                      },
                      state);
}

QString storeCondition(const api::StoreStatus &status)
{
    switch (status.condition) {
    case api::StoreCondition::connecting: return Words::tr("Connecting to the store");
    case api::StoreCondition::ready:
        return status.mayReplay ? Words::tr("Store ready") : Words::tr("Store ready, read-only");
    case api::StoreCondition::unavailable: break;
    }
    if (status.sinceUnixMilliseconds <= 0)
        return Words::tr("Store unavailable");
    const Timestamp since{milliseconds{status.sinceUnixMilliseconds}};
    return Words::tr("Store unavailable since %1").arg(clock(since));
}

} // namespace outbox::ui::text
