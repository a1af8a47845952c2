// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/settings_error.h"

#include <QStringList>

namespace outbox::app {

QString SettingsError::text() const
{
    QString where = file;
    if (line > 0)
        where += QStringLiteral(":%1:%2").arg(line).arg(column);
    if (!key.isEmpty())
        where += QStringLiteral(": ") + key;
    return where + QStringLiteral(": ") + problem;
}

QString textOf(const SettingsErrors &errors)
{
    QStringList lines;
    for (const auto &each : errors)
        lines.append(each.text());
    return lines.join(u'\n');
}

} // namespace outbox::app
