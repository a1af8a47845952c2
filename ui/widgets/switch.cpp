// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/switch.h"

#include "theme/theme.h"

#include <QPainter>

namespace outbox::ui {

namespace {

constexpr int track = 28;
constexpr int knob = 12;

int widthOf(const QFont &font, const QString &text) { return QFontMetrics(font).horizontalAdvance(text); }

} // namespace

Switch::Switch(QWidget *parent) : QAbstractButton(parent)
{
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void Switch::show(bool on, const QString &text, const QString &strong, const QString &rest)
{
    setChecked(on);
    setText(text);
    strong_ = strong;
    rest_ = rest;
    setAccessibleName(QStringLiteral("%1 %2 %3").arg(text, strong, rest).simplified());
    updateGeometry();
    update();
}

QSize Switch::sizeHint() const
{
    const int words = widthOf(theme::textFont(), text()) + widthOf(theme::headingFont(), strong_) +
                      (rest_.isEmpty() ? 0 : 4 + widthOf(theme::textFont(), rest_));
    return {12 + words + 4 + 8 + track + 8, 28};
}

void Switch::nextCheckState() { Q_EMIT toggleWanted(!isChecked()); }

void Switch::paintEvent(QPaintEvent *)
{
    const theme::Colours &c = theme::coloursOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? c.accent : c.line);
    painter.setBrush(underMouse() && isEnabled() ? c.hover : c.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 13.5, 13.5);

    int x = 12;
    const auto write = [&](const QFont &font, const QString &text, int after) {
        painter.setFont(font);
        painter.drawText(QRect(x, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += widthOf(font, text) + after;
    };
    painter.setPen(isEnabled() ? c.ink : c.secondary);
    write(theme::textFont(), text(), 4);
    write(theme::headingFont(), strong_, 4);
    painter.setPen(c.secondary);
    write(theme::textFont(), rest_, 0);

    const QRectF groove(width() - track - 8, (height() - 16) / 2.0, track, 16);
    painter.setPen(Qt::NoPen);
    painter.setBrush(isChecked() ? (isEnabled() ? c.dispatched : c.secondary) : c.secondary);
    painter.drawRoundedRect(groove, 8, 8);
    painter.setBrush(c.card);
    const qreal left = isChecked() ? groove.right() - knob - 2 : groove.left() + 2;
    painter.drawEllipse(QRectF(left, groove.top() + 2, knob, knob));
}

} // namespace outbox::ui
