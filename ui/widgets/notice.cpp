// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/notice.h"

#include "theme/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace outbox::ui {

Notice::Notice(QWidget *parent)
    : QWidget(parent), picture_(new QLabel(this)), title_(new QLabel(this)), text_(new QLabel(this)),
      action_(new QPushButton(this))
{
    picture_->setAlignment(Qt::AlignCenter);
    title_->setAlignment(Qt::AlignCenter);
    title_->setFont(theme::headingFont());
    title_->setTextFormat(Qt::PlainText);
    title_->setWordWrap(true);
    text_->setAlignment(Qt::AlignCenter);
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setMaximumWidth(420);
    text_->setMinimumWidth(200);
    text_->setProperty("look", QStringLiteral("secondary"));
    action_->hide();
    connect(action_, &QPushButton::clicked, this, &Notice::actionWanted);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addStretch();
    layout->addWidget(picture_);
    layout->addWidget(title_);
    auto *middle = new QHBoxLayout;
    middle->addStretch();
    middle->addWidget(text_, 1);
    middle->addStretch();
    layout->addLayout(middle);
    layout->addSpacing(4);
    layout->addWidget(action_, 0, Qt::AlignHCenter);
    layout->addStretch();
}

void Notice::show(const QString &icon, const QString &title, const QString &text, const QString &action)
{
    if (icon_ != icon) {
        icon_ = icon;
        picture_->setPixmap(theme::icon(icon).pixmap(QSize(40, 40), devicePixelRatioF(), QIcon::Disabled));
    }
    title_->setText(title);
    text_->setText(text);
    text_->setVisible(!text.isEmpty());
    action_->setText(action);
    action_->setAccessibleName(action);
    action_->setVisible(!action.isEmpty());
    setAccessibleName(QStringLiteral("%1. %2").arg(title, text));
}

QString Notice::title() const { return title_->text(); }

QString Notice::text() const { return text_->text(); }

} // namespace outbox::ui
