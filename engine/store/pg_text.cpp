// SPDX-License-Identifier: Apache-2.0
#include "store/pg_text.h"

#include <QDateTime>

namespace outbox::store {

namespace {

void appendQuoted(QString &array, const QString &text)
{
    array += QLatin1Char('"');
    for (const QChar c : text) {
        if (c.isNull())
            continue;
        if (c == QLatin1Char('"') || c == QLatin1Char('\\'))
            array += QLatin1Char('\\');
        array += c;
    }
    array += QLatin1Char('"');
}

} // namespace

QString arrayOfTexts(const QStringList &texts)
{
    QString array = QStringLiteral("{");
    for (const auto &text : texts) {
        if (array.size() > 1)
            array += QLatin1Char(',');
        appendQuoted(array, text);
    }
    return array + QLatin1Char('}');
}

QString arrayOfNullableTexts(const QStringList &texts)
{
    QString array = QStringLiteral("{");
    for (const auto &text : texts) {
        if (array.size() > 1)
            array += QLatin1Char(',');
        if (text.isNull())
            array += QLatin1String("NULL");
        else
            appendQuoted(array, text);
    }
    return array + QLatin1Char('}');
}

QString timestamp(Timestamp moment)
{
    const auto whole = std::chrono::floor<seconds>(moment);
    const auto micros = (moment - whole).count();
    return QDateTime::fromSecsSinceEpoch(whole.time_since_epoch().count(), Qt::UTC)
               .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) +
           QStringLiteral(".%1+00").arg(micros, 6, 10, QLatin1Char('0'));
}

QString interval(std::chrono::milliseconds span) { return QStringLiteral("%1 milliseconds").arg(span.count()); }

} // namespace outbox::store
