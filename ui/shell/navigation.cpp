// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/navigation.h"

#include "theme/theme.h"

#include <QButtonGroup>
#include <QFocusEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace outbox::ui {

NavigationButton::NavigationButton(const QString &icon, const QString &name, QWidget *parent) : QAbstractButton(parent)
{
    setText(name);
    setIcon(theme::icon(icon));
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    tell();
}

void NavigationButton::setBadge(const QString &badge)
{
    if (badge_ == badge)
        return;
    badge_ = badge;
    tell();
    update();
}

void NavigationButton::tell()
{
    setAccessibleName(badge_.isEmpty() ? text() : QStringLiteral("%1, %2").arg(text(), badge_));
}

void NavigationButton::focusInEvent(QFocusEvent *event)
{
    byKeyboard_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QAbstractButton::focusInEvent(event);
}

void NavigationButton::paintEvent(QPaintEvent *)
{
    const theme::Colours &c = theme::coloursOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() && byKeyboard_ ? QPen(c.accent, 1) : QPen(Qt::NoPen));
    painter.setBrush(isChecked() ? c.accentSoft : underMouse() ? c.hover : QColor(Qt::transparent));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    icon().paint(&painter, QRect(10, (height() - 18) / 2, 18, 18), Qt::AlignCenter, QIcon::Normal,
                 isChecked() ? QIcon::On : QIcon::Off);
    painter.setPen(isChecked() ? c.accent : c.ink);
    painter.setFont(isChecked() ? theme::headingFont() : theme::textFont());
    painter.drawText(QRect(38, 0, width() - 38, height()), Qt::AlignLeft | Qt::AlignVCenter, text());
    if (badge_.isEmpty())
        return;
    QFont font = theme::captionFont();
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const int wide = std::max(20, painter.fontMetrics().horizontalAdvance(badge_) + 12);
    const QRectF badge(width() - wide - 8, (height() - 18) / 2.0, wide, 18);
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.deadLetter);
    painter.drawRoundedRect(badge, 9, 9);
    painter.setPen(c.onAccent);
    painter.drawText(badge, Qt::AlignCenter, badge_);
}

Navigation::Navigation(QWidget *parent) : QFrame(parent), group_(new QButtonGroup(this)), layout_(new QVBoxLayout(this))
{
    setProperty("look", QStringLiteral("bar"));
    setFixedWidth(184);
    setAccessibleName(tr("Pages"));
    layout_->setContentsMargins(8, 8, 8, 8);
    layout_->setSpacing(2);
    layout_->addStretch();
    connect(group_, &QButtonGroup::idClicked, this, &Navigation::chosen);
}

void Navigation::add(const QString &icon, const QString &name)
{
    const int page = count();
    auto *button = new NavigationButton(icon, name, this);
    button->setToolTip(tr("Ctrl+%1").arg(page + 1));
    buttons_.append(button);
    group_->addButton(button, page);
    layout_->insertWidget(page, button);
}

void Navigation::setCurrent(int page) { buttons_[page]->setChecked(true); }

} // namespace outbox::ui
