// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/duration.h"

#include <QRegularExpression>

#include <array>
#include <utility>

namespace outbox::app {

namespace {

const std::array<std::pair<QLatin1StringView, std::int64_t>, 5> &units()
{
    static constexpr std::array<std::pair<QLatin1StringView, std::int64_t>, 5> all{{
        {QLatin1StringView("d"), 86'400'000},
        {QLatin1StringView("h"), 3'600'000},
        {QLatin1StringView("m"), 60'000},
        {QLatin1StringView("s"), 1'000},
        {QLatin1StringView("ms"), 1},
    }};
    return all;
}

} // namespace

std::optional<milliseconds> parseDuration(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("\\A([0-9]{1,9})(ms|s|m|h|d)\\z"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    for (const auto &[unit, size] : units())
        if (match.captured(2) == unit)
            return milliseconds{match.captured(1).toLongLong() * size};
    return std::nullopt;
}

QString durationText(milliseconds span)
{
    for (const auto &[unit, size] : units())
        if (span.count() != 0 && span.count() % size == 0)
            return QString::number(span.count() / size) + unit;
    return QStringLiteral("0s");
}

} // namespace outbox::app
