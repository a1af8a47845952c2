// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/records/records_page.h"

#include "models/records_model.h"
#include "pages/records/record_view.h"
#include "text/words.h"
#include "theme/theme.h"
#include "widgets/card.h"
#include "widgets/data_table.h"
#include "widgets/notice.h"
#include "widgets/state_badge.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

namespace outbox::ui {

RecordsPage::RecordsPage(PageContext context, QWidget *parent)
    : Page(parent), context_(context), model_(new RecordsModel(this))
{
    auto *split = new QSplitter(Qt::Horizontal, this);
    split->setHandleWidth(theme::gap);
    split->setChildrenCollapsible(false);
    split->addWidget(makeList());
    view_ = new RecordView(context_.port, split);
    split->addWidget(view_);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setSizes({604, 608});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::padding, theme::padding, theme::padding, theme::padding);
    layout->addWidget(split);
    connect(model_, &RecordsModel::changed, this, &RecordsPage::showPhase);
    connect(table_, &DataTable::rowChosen, this, &RecordsPage::choose);
    // A reset forgets the current row; the chosen record is found again by its id.
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        const int row = chosen_ ? model_->rowOf(*chosen_) : -1;
        if (row >= 0)
            table_->setCurrentIndex(model_->index(row, 0));
    });
    applyFilter();
}

QWidget *RecordsPage::makeFilters()
{
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    state_ = new QComboBox(bar);
    state_->setAccessibleName(tr("Filter by state"));
    state_->addItem(tr("All states"));
    for (const StateKind state :
         {StateKind::pending, StateKind::processing, StateKind::dispatched, StateKind::dead_letter})
        state_->addItem(QStringLiteral("%1 %2").arg(text::stateSymbol(state), text::stateText(state)), int(state));
    type_ = new QComboBox(bar);
    type_->setAccessibleName(tr("Filter by type"));
    type_->addItem(tr("All types"));
    type_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    type_->setMaximumWidth(220);
    id_ = new QLineEdit(bar);
    id_->setPlaceholderText(tr("Go to an id"));
    id_->setAccessibleName(tr("Go to the record with this id"));
    id_->setClearButtonEnabled(true);
    id_->addAction(theme::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    layout->addWidget(state_);
    layout->addWidget(type_);
    layout->addWidget(id_, 1);
    connect(state_, &QComboBox::activated, this, &RecordsPage::applyFilter);
    connect(type_, &QComboBox::activated, this, &RecordsPage::applyFilter);
    connect(id_, &QLineEdit::returnPressed, this, &RecordsPage::goToTypedId);
    connect(id_, &QLineEdit::textEdited, this, [this] {
        idProblem_.clear();
        showPhase();
    });
    return bar;
}

QWidget *RecordsPage::makeList()
{
    auto *card = new Card({}, this);
    card->body()->addWidget(makeFilters());
    table_ = new DataTable(tr("Records, newest first"), model_, card);
    table_->setObjectName(QStringLiteral("records"));
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    for (const int column : {RecordsModel::failed, RecordsModel::reason, RecordsModel::destination})
        table_->setColumnHidden(column, true);
    table_->setItemDelegateForColumn(RecordsModel::state, new StateDelegate(table_));
    table_->setWidths(
        {{RecordsModel::time, 124}, {RecordsModel::state, 116}, {RecordsModel::attempts, 52}, {RecordsModel::due, 88}},
        RecordsModel::type);
    notice_ = new Notice(card);
    stack_ = new QStackedWidget(card);
    stack_->addWidget(table_);
    stack_->addWidget(notice_);
    card->body()->addWidget(stack_, 1);
    foot_ = makeCaption({}, card);
    card->body()->addWidget(foot_);
    connect(notice_, &Notice::actionWanted, this, [this] { model_->refresh(); });
    return card;
}

void RecordsPage::refresh()
{
    model_->setNow(context_.feed.databaseNow());
    // While somebody reads further down, the list does not move under the eyes.
    if (table_->verticalScrollBar()->value() == 0)
        model_->refresh();
    view_->refresh();
    if (typesQuestion_.isDue() && !type_->view()->isVisible())
        askTypes();
}

void RecordsPage::askTypes()
{
    typesQuestion_.ask(
        this, [this](api::Reply<QStringList> reply) { context_.port.messageTypes(std::move(reply)); },
        [this](api::Answer<QStringList> answer) {
            if (!answer.ok())
                return;
            for (const QString &type : std::as_const(*answer))
                if (type_->findText(type) < 0)
                    type_->addItem(type, type);
        });
}

void RecordsPage::applyFilter()
{
    api::RecordFilter filter;
    if (state_->currentData().isValid())
        filter.states.insert(StateKind(state_->currentData().toInt()));
    filter.type = type_->currentData().toString();
    model_->setSource([this, filter](auto cursor, int limit, auto reply) {
        context_.port.records(filter, cursor, limit, std::move(reply));
    });
}

void RecordsPage::goToTypedId()
{
    const QUuid id = QUuid::fromString(id_->text().trimmed());
    if (!id.isNull())
        return showRecord(MessageId(id));
    idProblem_ = tr("\"%1\" is no id: 32 hexadecimal digits with dashes.").arg(id_->text().trimmed());
    showPhase();
}

void RecordsPage::showRecord(const MessageId &id)
{
    chosen_ = id;
    const int row = model_->rowOf(id);
    if (row >= 0)
        table_->setCurrentIndex(model_->index(row, 0));
    else
        table_->selectionModel()->clear();
    view_->show(id);
}

bool RecordsPage::focusSearch()
{
    id_->setFocus(Qt::ShortcutFocusReason);
    id_->selectAll();
    return true;
}

void RecordsPage::choose(int row)
{
    const MessageId id = model_->record(row).id;
    chosen_ = id;
    view_->show(id);
}

void RecordsPage::showPhase()
{
    const bool filtered = state_->currentIndex() > 0 || type_->currentIndex() > 0;
    const int rows = model_->rowCount();
    stack_->setCurrentWidget(rows > 0 ? static_cast<QWidget *>(table_) : notice_);
    switch (model_->phase()) {
    case ListPhase::loading: notice_->show(QStringLiteral("loading"), tr("Reading records"), {}); break;
    case ListPhase::failed:
        notice_->show(QStringLiteral("error"), tr("The records could not be read"), model_->error()->text,
                      tr("Try again"));
        break;
    case ListPhase::ready:
        notice_->show(QStringLiteral("empty"), filtered ? tr("No record matches") : tr("No records yet"),
                      filtered ? tr("Choose other filters above.")
                               : tr("Records appear here as soon as an application commits a message."));
        break;
    }
    foot_->setProperty("look", idProblem_.isEmpty() ? QStringLiteral("secondary") : QStringLiteral("error"));
    foot_->style()->polish(foot_);
    if (!idProblem_.isEmpty())
        foot_->setText(idProblem_);
    else if (rows == 0)
        foot_->clear();
    else if (model_->error())
        foot_->setText(tr("Not refreshed: %1").arg(model_->error()->text));
    else
        foot_->setText(model_->hasMore() ? tr("Newest first · %1 read, more below").arg(text::records(rows))
                                         : tr("Newest first · %1, all there are").arg(text::records(rows)));
}

} // namespace outbox::ui
