// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/dead_letters/dead_letters_page.h"

#include "dialogs/replay/replay_dialog.h"
#include "models/dead_letter_groups_model.h"
#include "models/records_model.h"
#include "text/words.h"
#include "theme/theme.h"
#include "widgets/card.h"
#include "widgets/data_table.h"
#include "widgets/notice.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace outbox::ui {

DeadLettersPage::DeadLettersPage(PageContext context, QWidget *parent)
    : Page(parent), context_(context), groups_(new DeadLetterGroupsModel(this)), model_(new RecordsModel(this))
{
    notice_ = new Notice(this);
    auto *empty = new Card({}, this);
    empty->body()->addWidget(notice_);
    auto *split = new QSplitter(Qt::Vertical, this);
    split->setHandleWidth(theme::gap);
    split->setChildrenCollapsible(false);
    split->addWidget(makeGroups());
    split->addWidget(makeList());
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setSizes({280, 480});
    stack_ = new QStackedWidget(this);
    stack_->addWidget(split);
    stack_->addWidget(empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::padding, theme::padding, theme::padding, theme::padding);
    layout->addWidget(stack_);
    connect(notice_, &Notice::actionWanted, this, &DeadLettersPage::refresh);
    connect(model_, &RecordsModel::changed, this, &DeadLettersPage::showState);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &DeadLettersPage::showState);
    connect(&context_.port, &api::ConsolePort::storeStatusChanged, this, &DeadLettersPage::showState);
    chooseGroup(std::nullopt);
}

QWidget *DeadLettersPage::makeGroups()
{
    auto *card = new Card(tr("Failed alike"), this);
    all_ = new QPushButton(tr("Show all groups together"), card);
    all_->setProperty("look", QStringLiteral("link"));
    all_->setAccessibleName(tr("Show dead letters of all groups"));
    card->head()->addWidget(all_);
    groupTable_ = new DataTable(tr("Groups of dead letters"), groups_, card);
    groupTable_->setObjectName(QStringLiteral("groups"));
    groupTable_->setSelectionMode(QAbstractItemView::SingleSelection);
    groupTable_->setWidths({{DeadLetterGroupsModel::cause, 220},
                            {DeadLetterGroupsModel::destination, 160},
                            {DeadLetterGroupsModel::count, 88},
                            {DeadLetterGroupsModel::first, 136},
                            {DeadLetterGroupsModel::last, 136}},
                           DeadLetterGroupsModel::type);
    card->body()->addWidget(groupTable_, 1);
    groupFoot_ = makeCaption({}, card);
    card->body()->addWidget(groupFoot_);
    connect(groupTable_, &DataTable::rowChosen, this, [this](int row) { chooseGroup(groups_->group(row)); });
    connect(all_, &QPushButton::clicked, this, [this] {
        groupTable_->selectionModel()->clear();
        chooseGroup(std::nullopt);
    });
    connect(groups_, &QAbstractItemModel::modelReset, this, [this] {
        const int row = group_ ? groups_->rowOf(*group_) : -1;
        if (row >= 0)
            groupTable_->setCurrentIndex(groups_->index(row, 0));
        else if (group_)
            chooseGroup(std::nullopt);
    });
    return card;
}

QWidget *DeadLettersPage::makeList()
{
    auto *card = new Card({}, this);
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    listTitle_ = makeHeading({}, card);
    replaySelected_ = new QPushButton(card);
    replaySelected_->setIcon(theme::icon(QStringLiteral("replay")));
    replayAll_ = new QPushButton(card);
    head->addWidget(listTitle_, 1);
    head->addWidget(replaySelected_);
    head->addWidget(replayAll_);
    card->body()->addLayout(head);
    table_ = new DataTable(tr("Dead letters, newest first"), model_, card);
    table_->setObjectName(QStringLiteral("dead-letters"));
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    for (const int column : {RecordsModel::state, RecordsModel::due})
        table_->setColumnHidden(column, true);
    table_->setWidths({{RecordsModel::time, 136},
                       {RecordsModel::type, 200},
                       {RecordsModel::attempts, 56},
                       {RecordsModel::failed, 136},
                       {RecordsModel::destination, 140}},
                      RecordsModel::reason);
    card->body()->addWidget(table_, 1);
    foot_ = makeCaption({}, card);
    card->body()->addWidget(foot_);
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex &index) { Q_EMIT recordWanted(model_->record(index.row()).id); });
    connect(replaySelected_, &QPushButton::clicked, this, [this] { replay({selected(), std::nullopt}); });
    connect(replayAll_, &QPushButton::clicked, this, [this] { replay({{}, group_}); });
    return card;
}

void DeadLettersPage::refresh()
{
    // A selection is what somebody is about to act on: the list stands still under it.
    if (table_->verticalScrollBar()->value() == 0 && !table_->selectionModel()->hasSelection())
        model_->refresh();
    if (!question_.isDue())
        return;
    question_.ask(
        this, [this](auto reply) { context_.port.deadLetterGroups(std::move(reply)); },
        [this](api::Answer<QList<api::DeadLetterGroup>> answer) { takeGroups(std::move(answer)); });
}

void DeadLettersPage::takeGroups(api::Answer<QList<api::DeadLetterGroup>> answer)
{
    if (answer.ok()) {
        answered_ = {true, QDateTime::currentDateTime(), std::nullopt};
        groups_->setGroups(std::move(answer).value());
        if (group_ && groups_->rowOf(*group_) >= 0)
            group_ = groups_->group(groups_->rowOf(*group_));
    } else {
        answered_.error = answer.error();
    }
    showState();
}

void DeadLettersPage::chooseGroup(const std::optional<api::DeadLetterGroup> &group)
{
    group_ = group;
    model_->setSource([this, group](auto cursor, int limit, auto reply) {
        context_.port.deadLetters(group, cursor, limit, std::move(reply));
    });
    showState();
}

QList<api::RecordRow> DeadLettersPage::selected() const
{
    QList<api::RecordRow> rows;
    const QModelIndexList chosen = table_->selectionModel()->selectedRows();
    for (const QModelIndex &index : chosen)
        rows.append(model_->record(index.row()));
    return rows;
}

void DeadLettersPage::showState()
{
    const bool empty = groups_->rowCount() == 0;
    stack_->setCurrentIndex(empty ? 1 : 0);
    if (!answered_.value && answered_.error)
        notice_->show(QStringLiteral("error"), tr("The dead letters could not be read"), answered_.error->text,
                      tr("Try again"));
    else if (!answered_.value)
        notice_->show(QStringLiteral("loading"), tr("Reading dead letters"), {});
    else
        notice_->show(QStringLiteral("check"), tr("No dead letters"),
                      tr("Nothing was given up. A record comes here when its destination rejects it, or when its last "
                         "attempt fails."));
    all_->setVisible(group_.has_value());
    groupFoot_->setText(
        answered_.error
            ? tr("Not refreshed since %1: %2")
                  .arg(QLocale().toString(answered_.receivedAt, QStringLiteral("HH:mm:ss")), answered_.error->text)
            : tr("%1 in all. Choose a group to see its records.").arg(text::records(groups_->total())));

    const std::int64_t matching = group_ ? group_->count : groups_->total();
    const auto chosen = table_->selectionModel()->selectedRows().size();
    listTitle_->setText(
        group_ ? tr("%1 · %2").arg(text::typeName(group_->type, group_->version), text::causeText(group_->cause))
               : tr("All dead letters"));
    const api::StoreStatus store = context_.port.storeStatus();
    const QString whyNot = store.condition != api::StoreCondition::ready ? text::storeCondition(store)
                           : !store.mayReplay
                               ? tr("The role %1 may not replay; it needs outbox_operator.").arg(store.role)
                               : QString();
    replaySelected_->setText(chosen == 0   ? tr("Replay selected…")
                             : chosen == 1 ? tr("Replay this one…")
                                           : tr("Replay these %1…").arg(text::number(chosen)));
    replaySelected_->setEnabled(whyNot.isEmpty() && chosen > 0);
    replaySelected_->setToolTip(!whyNot.isEmpty() ? whyNot : chosen == 0 ? tr("Select records first.") : QString());
    replayAll_->setText(group_ ? tr("Replay all %1 that match…").arg(text::number(matching))
                               : tr("Replay all %1…").arg(text::number(matching)));
    replayAll_->setEnabled(whyNot.isEmpty() && matching > 0);
    replayAll_->setToolTip(whyNot);
    for (QPushButton *button : {replaySelected_, replayAll_}) {
        button->setAccessibleName(button->text());
        button->setAccessibleDescription(button->toolTip());
    }
    foot_->setText(
        model_->phase() == ListPhase::loading ? tr("Reading records")
        : model_->error()                     ? tr("Not refreshed: %1").arg(model_->error()->text)
        : model_->hasMore()
            ? tr("Newest first · %1 read, more below · Enter opens a record").arg(text::records(model_->rowCount()))
            : tr("Newest first · %1 · Enter opens a record").arg(text::records(model_->rowCount())));
}

void DeadLettersPage::replay(const ReplayChoice &choice)
{
    auto *dialog = new ReplayDialog(context_.port, choice, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::finished, this, [this, dialog] {
        if (!dialog->changedAnything())
            return;
        table_->selectionModel()->clear();
        context_.feed.refresh();
        refresh();
    });
    dialog->open();
}

} // namespace outbox::ui
