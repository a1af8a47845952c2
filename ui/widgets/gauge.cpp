// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gauge.h"

#include "charts/scale.h"
#include "theme/theme.h"

#include <QPainter>
#include <QtMath>

#include <algorithm>

namespace outbox::ui {

namespace {

constexpr int ringWidth = 104;
constexpr int ringStroke = 11;

} // namespace

Gauge::Gauge(const QString &title, Tone tone, QWidget *parent) : QFrame(parent), title_(title), tone_(tone)
{
    setProperty("look", QStringLiteral("card"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    clear(tr("not known yet"));
}

void Gauge::show(double value, double highest, const QString &figure, const QString &words, bool alarming)
{
    value_ = value;
    highest_ = std::max(value, highest);
    figure_ = figure;
    words_ = words;
    alarming_ = alarming;
    tell();
}

void Gauge::clear(const QString &words) { show(0, 0, QStringLiteral("–"), words); }

void Gauge::tell()
{
    setAccessibleName(tr("%1: %2, %3").arg(title_, figure_, words_));
    update();
}

QSize Gauge::sizeHint() const { return {320, 124}; }

QSize Gauge::minimumSizeHint() const { return {260, 124}; }

void Gauge::paintEvent(QPaintEvent *event)
{
    QFrame::paintEvent(event);
    const theme::Colours &c = theme::coloursOf(palette());
    const QColor tone = tone_ == Tone::pending ? c.pending : tone_ == Tone::good ? c.dispatched : c.deadLetter;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setLayoutDirection(layoutDirection());

    const int left = theme::padding;
    painter.setFont(theme::headingFont());
    painter.setPen(c.ink);
    painter.drawText(QRect(left, 12, width() - 2 * left, 20), Qt::AlignLeft | Qt::AlignVCenter, title_);

    // A half ring from nine to three o'clock.
    const qreal half = ringStroke / 2.0;
    const QRectF ring(left + 8 + half, 44 + half, ringWidth - ringStroke, ringWidth - ringStroke);
    painter.setPen(QPen(c.track, ringStroke, Qt::SolidLine, Qt::FlatCap));
    painter.drawArc(ring, 0, 180 * 16);
    const double top = niceCeiling(highest_);
    const auto turn = [&](double value) { return top > 0 ? std::clamp(value / top, 0.0, 1.0) * 180.0 : 0.0; };
    if (value_ > 0) {
        painter.setPen(QPen(tone, ringStroke, Qt::SolidLine, Qt::FlatCap));
        painter.drawArc(ring, 180 * 16, -qRound(std::max(3.0, turn(value_)) * 16));
    }
    if (highest_ > 0) {
        const qreal angle = qDegreesToRadians(180.0 - turn(highest_));
        const QPointF way(std::cos(angle), -std::sin(angle));
        const qreal outer = ring.width() / 2 + half;
        painter.setPen(QPen(c.ink, 2, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(ring.center() + way * (outer - 3), ring.center() + way * (outer + 5));
    }

    const int textLeft = left + ringWidth + 32;
    const int textWidth = width() - textLeft - left;
    painter.setFont(theme::figureFont());
    painter.setPen(alarming_ ? tone : c.ink);
    const QString figure = alarming_ ? QStringLiteral("▲ ") + figure_ : figure_;
    painter.drawText(QRect(textLeft, 42, textWidth, 40), Qt::AlignLeft | Qt::AlignVCenter, figure);
    painter.setFont(theme::captionFont());
    painter.setPen(c.secondary);
    const QString words = painter.fontMetrics().elidedText(words_, Qt::ElideRight, textWidth);
    painter.drawText(QRect(textLeft, 82, textWidth, 20), Qt::AlignLeft | Qt::AlignVCenter, words);
    setToolTip(words == words_ ? QString() : words_);
}

} // namespace outbox::ui
