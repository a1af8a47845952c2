// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/output.h"

#include <QDateTime>

#include <algorithm>
#include <cstdio>

namespace outbox::cli {

namespace {

QString timeText(Timestamp moment, const QString &between, int digits)
{
    const auto whole = std::chrono::floor<seconds>(moment);
    const auto micros = (moment - whole).count();
    const QString fraction = QStringLiteral("%1").arg(micros, 6, 10, QLatin1Char('0')).left(digits);
    return QDateTime::fromSecsSinceEpoch(whole.time_since_epoch().count(), Qt::UTC)
               .toString(QStringLiteral("yyyy-MM-dd'%1'HH:mm:ss").arg(between)) +
           QLatin1Char('.') + fraction + QLatin1Char('Z');
}

} // namespace

void Output::line(const QByteArray &utf8)
{
    if (broken_)
        return;
    const auto size = static_cast<std::size_t>(utf8.size());
    broken_ = std::fwrite(utf8.constData(), 1, size, stdout) != size || std::fputc('\n', stdout) == EOF;
}

void Output::flush()
{
    if (std::fflush(stdout) != 0)
        broken_ = true;
}

void Table::print(Output &output) const
{
    QList<qsizetype> widths(rows_.constFirst().size(), 0);
    for (const auto &row : rows_)
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    for (const auto &row : rows_) {
        QString text;
        for (qsizetype i = 0; i < row.size(); ++i)
            text += i + 1 == row.size() ? row[i] : row[i].leftJustified(widths[i] + 2);
        while (text.endsWith(QLatin1Char(' ')))
            text.chop(1);
        output.line(text);
    }
}

QString isoTime(Timestamp moment) { return timeText(moment, QStringLiteral("T"), 6); }

QString shortTime(Timestamp moment) { return timeText(moment, QStringLiteral(" "), 3); }

QString durationText(milliseconds span)
{
    const auto whole = std::chrono::duration_cast<seconds>(span).count();
    if (span < seconds(1))
        return QStringLiteral("%1 ms").arg(span.count());
    if (whole < 60)
        return QStringLiteral("%1 s").arg(static_cast<double>(span.count()) / 1000.0, 0, 'f', 1);
    if (whole < 3600)
        return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    if (whole < 86400)
        return QStringLiteral("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
    return QStringLiteral("%1 d %2 h").arg(whole / 86400).arg(whole % 86400 / 3600);
}

QString oneLine(const QString &text)
{
    QString clean;
    for (const QChar c : text) {
        if (c.category() == QChar::Other_Control)
            clean += c.isSpace() ? QLatin1Char(' ') : QChar(0xfffd);
        else
            clean += c;
    }
    return clean;
}

} // namespace outbox::cli
