// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/card.h"

#include "theme/theme.h"

#include <QBoxLayout>
#include <QLabel>

namespace outbox::ui {

Card::Card(const QString &title, QWidget *parent) : QFrame(parent), body_(new QVBoxLayout(this))
{
    setProperty("look", QStringLiteral("card"));
    body_->setContentsMargins(theme::padding, theme::gap, theme::padding, theme::gap);
    body_->setSpacing(8);
    if (title.isEmpty())
        return;
    head_ = new QHBoxLayout;
    head_->setSpacing(8);
    head_->addStrut(24);
    head_->addWidget(makeHeading(title, this));
    head_->addStretch();
    body_->addLayout(head_);
    setAccessibleName(title);
}

QLabel *makeCaption(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setProperty("look", QStringLiteral("secondary"));
    label->setFont(theme::captionFont());
    label->setTextFormat(Qt::PlainText);
    return label;
}

QLabel *makeHeading(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setFont(theme::headingFont());
    label->setTextFormat(Qt::PlainText);
    return label;
}

QFrame *makeLine(Qt::Orientation orientation, QWidget *parent)
{
    auto *line = new QFrame(parent);
    line->setProperty("look", QStringLiteral("line"));
    if (orientation == Qt::Horizontal)
        line->setFixedHeight(1);
    else
        line->setFixedWidth(1);
    return line;
}

} // namespace outbox::ui
