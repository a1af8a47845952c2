// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pill.h"

#include "theme/theme.h"

#include <QPainter>

namespace outbox::ui {

Pill::Pill(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setContentsMargins(28, 0, 12, 0);
    setFixedHeight(28);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void Pill::show(Tone tone, const QString &text)
{
    tone_ = tone;
    setText(text);
    setAccessibleName(text);
    update();
}

void Pill::paintEvent(QPaintEvent *event)
{
    const theme::Colours &c = theme::coloursOf(palette());
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(c.line);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 13.5, 13.5);
        const QColor dot = tone_ == Tone::good      ? c.dispatched
                           : tone_ == Tone::warning ? c.processing
                           : tone_ == Tone::bad     ? c.deadLetter
                                                    : c.secondary;
        painter.setPen(Qt::NoPen);
        painter.setBrush(dot);
        painter.drawEllipse(QRectF(12, (height() - 8) / 2.0, 8, 8));
    }
    QLabel::paintEvent(event);
}

} // namespace outbox::ui
