// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/legend.h"

#include <QPainter>

namespace outbox::ui {

Legend::Legend(const QList<ChartLine> &lines, QWidget *parent) : QWidget(parent), lines_(lines)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Legend::paintEvent(QPaintEvent *)
{
    const theme::Colours &c = theme::coloursOf(palette());
    QPainter painter(this);
    painter.setFont(theme::captionFont());
    const int middle = height() / 2;
    int x = 0;
    for (const ChartLine &line : lines_) {
        const QColor colour = chartColour(c, line.tone);
        if (line.filled) {
            QColor soft = colour;
            soft.setAlphaF(0.16F);
            painter.fillRect(QRect(x, middle - 1, 20, 6), soft);
        }
        QPen pen(colour, 2, Qt::SolidLine, Qt::FlatCap);
        if (line.dashed)
            pen.setDashPattern({2.5, 2});
        painter.setPen(pen);
        painter.drawLine(x, middle - 1, x + 20, middle - 1);
        painter.setPen(c.secondary);
        const int wide = painter.fontMetrics().horizontalAdvance(line.name);
        painter.drawText(QRect(x + 28, 0, wide + 2, height()), Qt::AlignLeft | Qt::AlignVCenter, line.name);
        x += 28 + wide + 20;
    }
}

} // namespace outbox::ui
