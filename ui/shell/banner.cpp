// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/banner.h"

#include "theme/theme.h"
#include "widgets/card.h"

#include <QHBoxLayout>
#include <QLabel>

namespace outbox::ui {

Banner::Banner(QWidget *parent) : QFrame(parent), title_(makeHeading({}, this)), text_(new QLabel(this))
{
    setProperty("look", QStringLiteral("banner"));
    title_->setProperty("look", QStringLiteral("error"));
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(theme::padding, 8, theme::padding, 8);
    layout->setSpacing(theme::gap);
    layout->addWidget(title_, 0, Qt::AlignTop);
    layout->addWidget(text_, 1);
    hide();
}

void Banner::show(const QString &title, const QString &text)
{
    title_->setText(title.isEmpty() ? title : QStringLiteral("▲ ") + title);
    text_->setText(text);
    setAccessibleName(QStringLiteral("%1. %2").arg(title, text));
    setVisible(!title.isEmpty());
}

QString Banner::text() const { return text_->text(); }

} // namespace outbox::ui
