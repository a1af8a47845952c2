// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"

#include <QString>
#include <QStringList>

#include <chrono>
#include <vector>

namespace outbox::store {

/// Values in the text form that PostgreSQL reads. Parameters of the engine's statements are cast there, so
/// these texts never become SQL.

/// {"a","b"}: quotes and backslashes escaped, NUL characters left out.
QString arrayOfTexts(const QStringList &texts);

/// The same, with NULL for each null QString.
QString arrayOfNullableTexts(const QStringList &texts);

/// {1,2,3}
template <typename Range, typename Projection>
QString arrayOfNumbers(const Range &range, Projection projection)
{
    QString text = QStringLiteral("{");
    for (const auto &each : range) {
        if (text.size() > 1)
            text += QLatin1Char(',');
        text += QString::number(projection(each));
    }
    return text + QLatin1Char('}');
}

/// "2026-12-01 03:12:30.000250+00": all microseconds, UTC.
QString timestamp(Timestamp moment);

/// "1500 milliseconds"
QString interval(std::chrono::milliseconds span);

} // namespace outbox::store
