// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/replay/replay_dialog.h"
#include "dialogs/replay/verdicts_model.h"
#include "theme/theme.h"
#include "widgets/card.h"
#include "widgets/data_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace outbox::ui {

namespace {

QVBoxLayout *makeStepLayout(QWidget *page)
{
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(24, 20, 24, 20);
    layout->setSpacing(8);
    return layout;
}

QLabel *makeTitle(QWidget *parent)
{
    auto *title = new QLabel(parent);
    title->setFont(theme::titleFont());
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    return title;
}

QLabel *makeText(QWidget *parent)
{
    auto *text = new QLabel(parent);
    text->setProperty("look", QStringLiteral("secondary"));
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    return text;
}

} // namespace

QWidget *ReplayDialog::makeHead()
{
    auto *bar = new QFrame(this);
    bar->setProperty("look", QStringLiteral("bar"));
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(20, 12, 20, 12);
    layout->setSpacing(8);
    auto *title = makeTitle(bar);
    title->setText(tr("Replay dead letters"));
    title->setWordWrap(false);
    layout->addWidget(title);
    layout->addWidget(makeCaption(port_.storeStatus().store, bar), 1, Qt::AlignVCenter);
    return bar;
}

QWidget *ReplayDialog::makeSteps()
{
    auto *bar = new QFrame(this);
    bar->setProperty("look", QStringLiteral("bar"));
    bar->setFixedWidth(172);
    auto *layout = new QVBoxLayout(bar);
    layout->setContentsMargins(12, 20, 12, 20);
    layout->setSpacing(12);
    for (int i = 0; i < 3; ++i) {
        steps_.append(new QLabel(bar));
        layout->addWidget(steps_.constLast());
    }
    layout->addStretch();
    return bar;
}

QWidget *ReplayDialog::makeWhat()
{
    auto *page = new QFrame(this);
    page->setProperty("look", QStringLiteral("bar"));
    auto *layout = makeStepLayout(page);
    whatTitle_ = makeTitle(page);
    whatTitle_->setText(tr("What goes back to pending?"));
    whatText_ = makeText(page);
    whatText_->setText(tr("Making the list."));
    layout->addWidget(whatTitle_);
    layout->addWidget(whatText_);
    layout->addSpacing(12);
    groups_ = new QVBoxLayout;
    groups_->setSpacing(8);
    layout->addLayout(groups_);
    layout->addStretch();
    return page;
}

QWidget *ReplayDialog::makeWhy()
{
    auto *page = new QFrame(this);
    page->setProperty("look", QStringLiteral("bar"));
    auto *layout = makeStepLayout(page);
    auto *title = makeTitle(page);
    title->setText(tr("Who replays, and why?"));
    auto *text = makeText(page);
    text->setText(tr("Both are kept with each record and cannot be changed afterwards. A replay cannot be undone."));
    layout->addWidget(title);
    layout->addWidget(text);
    layout->addSpacing(12);
    layout->addWidget(makeHeading(tr("Actor"), page));
    actor_ = new QLineEdit(page);
    actor_->setReadOnly(true);
    actor_->setText(tr("%1 · the role you are connected with").arg(port_.storeStatus().role));
    actor_->setAccessibleName(tr("Actor, not editable"));
    layout->addWidget(actor_);
    layout->addSpacing(8);
    layout->addWidget(makeHeading(tr("Reason"), page));
    reason_ = new QPlainTextEdit(page);
    reason_->setTabChangesFocus(true);
    reason_->setAccessibleName(tr("Reason, required"));
    reason_->setFixedHeight(112);
    layout->addWidget(reason_);
    hint_ = makeCaption({}, page);
    hint_->setWordWrap(true);
    layout->addWidget(hint_);
    layout->addSpacing(8);
    typedTitle_ = makeHeading({}, page);
    typed_ = new QLineEdit(page);
    typed_->setAccessibleName(tr("Number of records, typed to confirm"));
    typed_->setMaximumWidth(200);
    layout->addWidget(typedTitle_);
    layout->addWidget(typed_);
    layout->addStretch();
    connect(reason_, &QPlainTextEdit::textChanged, this, &ReplayDialog::check);
    connect(typed_, &QLineEdit::textChanged, this, &ReplayDialog::check);
    return page;
}

QWidget *ReplayDialog::makeResult()
{
    auto *page = new QFrame(this);
    page->setProperty("look", QStringLiteral("bar"));
    auto *layout = makeStepLayout(page);
    resultTitle_ = makeTitle(page);
    resultText_ = makeText(page);
    progress_ = new QProgressBar(page);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Records replayed"));
    auto *table = new DataTable(tr("What became of each record"), verdicts_, page);
    table->setWidths({{VerdictsModel::record, 320}}, VerdictsModel::verdict);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    layout->addWidget(resultTitle_);
    layout->addWidget(resultText_);
    layout->addWidget(progress_);
    layout->addSpacing(8);
    layout->addWidget(table, 1);
    return page;
}

QWidget *ReplayDialog::makeFoot()
{
    auto *bar = new QFrame(this);
    bar->setProperty("look", QStringLiteral("bar"));
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(20, 12, 20, 12);
    layout->setSpacing(8);
    cancel_ = new QPushButton(bar);
    back_ = new QPushButton(tr("Back"), bar);
    back_->setAccessibleName(tr("Back to what is replayed"));
    copy_ = new QPushButton(tr("Copy result"), bar);
    copy_->setAccessibleName(tr("Copy the result as text"));
    forward_ = new QPushButton(bar);
    forward_->setProperty("look", QStringLiteral("primary"));
    // Enter must never be what starts a replay.
    forward_->setAutoDefault(false);
    back_->setAutoDefault(false);
    copy_->setAutoDefault(false);
    cancel_->setDefault(true);
    layout->addWidget(cancel_);
    layout->addStretch();
    layout->addWidget(copy_);
    layout->addWidget(back_);
    layout->addWidget(forward_);
    connect(cancel_, &QPushButton::clicked, this, &ReplayDialog::reject);
    connect(back_, &QPushButton::clicked, this, [this] { go(what); });
    connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(verdicts_->asText()); });
    connect(forward_, &QPushButton::clicked, this, [this] {
        if (step_ == what)
            go(why);
        else
            run();
    });
    return bar;
}

} // namespace outbox::ui
