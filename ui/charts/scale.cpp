// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scale.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace outbox::ui {

namespace {

struct Scale {
    Q_DECLARE_TR_FUNCTIONS(outbox::ui::Scale)
};

QString shortNumber(double value)
{
    const QLocale locale;
    if (value >= 1e6)
        return Scale::tr("%1M").arg(locale.toString(value / 1e6, 'g', 3));
    if (value >= 10'000)
        return Scale::tr("%1k").arg(locale.toString(value / 1e3, 'g', 4));
    return locale.toString(qlonglong(std::llround(value)));
}

} // namespace

double niceCeiling(double value)
{
    if (!(value > 0))
        return 0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (factor * power >= value * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

QList<Tick> countTicks(double highest)
{
    const double step = std::max(1.0, niceCeiling(highest / 4));
    QList<Tick> ticks;
    for (double at = 0; ticks.size() < 2 || ticks.constLast().at < highest; at += step)
        ticks.append({at, shortNumber(at)});
    return ticks;
}

QList<Tick> timeTicks(std::int64_t from, std::int64_t to)
{
    constexpr std::int64_t second = 1000;
    constexpr std::int64_t minute = 60 * second;
    constexpr std::int64_t hour = 60 * minute;
    constexpr std::array steps{10 * second, 30 * second, minute,      2 * minute, 5 * minute,
                               10 * minute, 15 * minute, 30 * minute, hour,       2 * hour,
                               4 * hour,    6 * hour,    12 * hour,   24 * hour,  48 * hour};
    const auto fits = [&](std::int64_t step) { return (to - from) / step <= 5; };
    const auto found = std::find_if(steps.begin(), steps.end(), fits);
    const std::int64_t step = found == steps.end() ? steps.back() : *found;
    const std::int64_t offset = QDateTime::fromMSecsSinceEpoch(from).offsetFromUtc() * second;
    QList<Tick> ticks;
    for (std::int64_t at = ((from + offset) / step + 1) * step - offset; at <= to; at += step) {
        const QDateTime time = QDateTime::fromMSecsSinceEpoch(at);
        const QString form = step < minute       ? QStringLiteral("HH:mm:ss")
                             : step >= 24 * hour ? QStringLiteral("d MMM")
                                                 : QStringLiteral("HH:mm");
        ticks.append({double(at), QLocale().toString(time, form)});
    }
    return ticks;
}

} // namespace outbox::ui
