// SPDX-License-Identifier: GPL-3.0-or-later
#include "specification/values.h"

#include "settings/spelling.h"

#include <QRegularExpression>

namespace outbox::app {

std::optional<qsizetype> choice(const Section &section, const QString &key, const QStringList &words)
{
    const auto given = section.text(key);
    if (!given)
        return std::nullopt;
    const auto at = words.indexOf(*given);
    if (at >= 0)
        return at;
    section.fail(key, QStringLiteral("expected %1, found '%2'%3")
                          .arg(words.join(QStringLiteral(" or ")), given->left(60), didYouMean(*given, words)));
    return std::nullopt;
}

std::optional<bool> truth(const Section &section, const QString &key)
{
    const auto at = choice(section, key, {QStringLiteral("true"), QStringLiteral("false")});
    return at ? std::optional(*at == 0) : std::nullopt;
}

std::optional<Share> percentage(const Section &section, const QString &key)
{
    static const QRegularExpression form(QStringLiteral("\\A([0-9]{1,3}(?:\\.[0-9]{1,6})?)%\\z"));
    const auto given = section.text(key);
    if (!given)
        return std::nullopt;
    const auto match = form.match(*given);
    const double percent = match.hasMatch() ? match.captured(1).toDouble() : -1;
    if (percent > 0 && percent < 100)
        return Share(percent / 100);
    section.fail(
        key,
        QStringLiteral("expected a percentage between 0% and 100% such as 99.9%, found '%1'").arg(given->left(60)));
    return std::nullopt;
}

std::optional<QDate> date(const Section &section, const QString &key)
{
    const auto given = section.text(key);
    if (!given)
        return std::nullopt;
    const auto day = QDate::fromString(*given, QStringLiteral("yyyy-MM-dd"));
    if (day.isValid())
        return day;
    section.fail(key, QStringLiteral("expected a day such as 2027-01-31, found '%1'").arg(given->left(60)));
    return std::nullopt;
}

QList<std::pair<QString, YAML::Node>> elements(const Section &section, const QString &key, const QString &expected)
{
    QList<std::pair<QString, YAML::Node>> all;
    if (!section.has(key))
        return all;
    const YAML::Node list = section.node(key);
    if (!list.IsSequence() || list.size() == 0) {
        section.fail(key, QStringLiteral("expected a list of %1").arg(expected));
        return all;
    }
    for (const auto &each : list)
        all.append({QStringLiteral("%1[%2]").arg(section.path(key)).arg(all.size()), each});
    return all;
}

} // namespace outbox::app
