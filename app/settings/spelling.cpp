// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/spelling.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace outbox::app {

namespace {

/// How many letters to insert, delete, replace or swap with the neighbour.
int slips(const QString &a, const QString &b)
{
    const auto width = static_cast<std::size_t>(b.size()) + 1;
    std::vector<int> before(width), above(width), row(width);
    std::iota(above.begin(), above.end(), 0);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (qsizetype j = 1; j <= b.size(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            row[at] = std::min({row[at - 1] + 1, above[at] + 1, above[at - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[at] = std::min(row[at], before[at - 2] + 1);
        }
        before = std::exchange(above, row);
    }
    return above.back();
}

} // namespace

QString nearest(const QString &name, const QStringList &known)
{
    int best = name.size() <= 4 ? 1 : 2;
    QString found;
    for (const auto &each : known) {
        const int distance = slips(name.toLower(), each.toLower());
        if (distance > best || (distance == best && !found.isEmpty()))
            continue;
        best = distance;
        found = each;
    }
    return found;
}

QString didYouMean(const QString &name, const QStringList &known)
{
    const QString meant = nearest(name, known);
    return meant.isEmpty() ? QString() : QStringLiteral(" (did you mean '%1'?)").arg(meant);
}

} // namespace outbox::app
