// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/records/record_view.h"

#include "models/attempts_model.h"
#include "models/replays_model.h"
#include "pages/records/record_text.h"
#include "text/words.h"
#include "theme/theme.h"
#include "widgets/card.h"
#include "widgets/data_table.h"
#include "widgets/json_view.h"
#include "widgets/notice.h"
#include "widgets/state_badge.h"
#include "widgets/timeline.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace outbox::ui {

RecordView::RecordView(api::ConsolePort &port, QWidget *parent)
    : QWidget(parent), port_(port), stack_(new QStackedWidget(this)), notice_(new Notice(this)),
      attempts_(new AttemptsModel(this)), replays_(new ReplaysModel(this))
{
    auto *empty = new Card({}, this);
    empty->body()->addWidget(notice_);
    stack_->addWidget(empty);
    auto *full = new QWidget(this);
    auto *layout = new QVBoxLayout(full);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::gap);
    layout->addWidget(makeHead());
    layout->addWidget(makeTimeline());
    layout->addWidget(makeContent(), 1);
    stack_->addWidget(full);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(stack_);
    connect(notice_, &Notice::actionWanted, this, &RecordView::refresh);
    clear();
}

QWidget *RecordView::makeHead()
{
    auto *card = new Card({}, this);
    auto *line = new QHBoxLayout;
    line->setSpacing(theme::gap);
    type_ = new QLabel(card);
    type_->setFont(theme::titleFont());
    type_->setTextFormat(Qt::PlainText);
    id_ = makeCaption({}, card);
    id_->setFont(theme::codeFont());
    id_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    copy_ = new QToolButton(card);
    copy_->setText(tr("Copy"));
    copy_->setIcon(theme::icon(QStringLiteral("copy")));
    copy_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    copy_->setPopupMode(QToolButton::InstantPopup);
    copy_->setFocusPolicy(Qt::StrongFocus);
    copy_->setAccessibleName(tr("Copy the record"));
    auto *menu = new QMenu(copy_);
    const auto put = [](const QString &text) { QGuiApplication::clipboard()->setText(text); };
    connect(menu->addAction(tr("Id")), &QAction::triggered, this, [this, put] { put(toText(detail_->message.id)); });
    connect(menu->addAction(tr("Payload as staged")), &QAction::triggered, this,
            [this, put] { put(QString::fromUtf8(detail_->message.payload)); });
    connect(menu->addAction(tr("Whole record as JSON")), &QAction::triggered, this,
            [this, put] { put(recordAsJson(*detail_)); });
    copy_->setMenu(menu);
    line->addWidget(type_);
    line->addWidget(id_, 1);
    line->addWidget(copy_);
    card->body()->addLayout(line);
    auto *state = new QHBoxLayout;
    state->setSpacing(8);
    badge_ = new StateBadge(card);
    sentence_ = new QLabel(card);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    state->addWidget(badge_, 0, Qt::AlignTop);
    state->addWidget(sentence_, 1);
    card->body()->addLayout(state);
    facts_ = makeCaption({}, card);
    facts_->setWordWrap(true);
    card->body()->addWidget(facts_);
    return card;
}

QWidget *RecordView::makeTimeline()
{
    auto *card = new Card(tr("Timeline"), this);
    timeline_ = new Timeline(card);
    card->body()->addWidget(timeline_);
    return card;
}

QWidget *RecordView::makeContent()
{
    auto *card = new Card({}, this);
    tabs_ = new QTabBar(card);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Parts of the record"));
    contents_ = new QStackedWidget(card);
    payload_ = new JsonView(card);
    headers_ = new JsonView(card);
    headers_->setAccessibleName(tr("Headers"));
    auto *attempts = new DataTable(tr("Failed attempts"), attempts_, card);
    attempts->setWidths({{AttemptsModel::number, 56},
                         {AttemptsModel::started, 136},
                         {AttemptsModel::took, 80},
                         {AttemptsModel::worker, 104},
                         {AttemptsModel::cause, 168}},
                        AttemptsModel::summary);
    auto *replays = new DataTable(tr("Replays"), replays_, card);
    replays->setWidths({{ReplaysModel::at, 136}, {ReplaysModel::actor, 104}, {ReplaysModel::failure, 200}},
                       ReplaysModel::reason);
    for (QWidget *each : {static_cast<QWidget *>(payload_), static_cast<QWidget *>(headers_),
                          static_cast<QWidget *>(attempts), static_cast<QWidget *>(replays)}) {
        contents_->addWidget(each);
        tabs_->addTab(QString());
    }
    connect(tabs_, &QTabBar::currentChanged, contents_, &QStackedWidget::setCurrentIndex);
    card->body()->addWidget(tabs_);
    card->body()->addWidget(contents_, 1);
    return card;
}

void RecordView::show(const MessageId &id)
{
    if (wanted_ != id)
        question_.forget();
    wanted_ = id;
    if (!detail_)
        notice_->show(QStringLiteral("loading"), tr("Reading the record"), {});
    refresh();
}

void RecordView::refresh()
{
    if (!wanted_ || question_.isWaiting())
        return;
    question_.ask(
        this, [this](api::Reply<api::RecordDetail> reply) { port_.record(*wanted_, std::move(reply)); },
        [this](api::Answer<api::RecordDetail> answer) {
            if (!answer.ok())
                return fail(answer.error());
            detail_ = std::move(answer).value();
            fill();
        });
}

void RecordView::clear()
{
    question_.forget();
    wanted_.reset();
    detail_.reset();
    notice_->show(QStringLiteral("records"), tr("No record chosen"),
                  tr("Choose one on the left, or type an id above the list."));
    stack_->setCurrentIndex(0);
}

void RecordView::fail(const api::OperationError &error)
{
    // What is on the screen stays while it is about the record that was asked for.
    if (detail_ && detail_->message.id == *wanted_ && error.kind != api::OperationError::Kind::not_found)
        return;
    detail_.reset();
    if (error.kind == api::OperationError::Kind::not_found)
        notice_->show(
            QStringLiteral("empty"), tr("No such record"),
            tr("%1 is not in this store; it may have been pruned, or never committed.").arg(toText(*wanted_)));
    else
        notice_->show(QStringLiteral("error"), tr("The record could not be read"), error.text, tr("Try again"));
    stack_->setCurrentIndex(0);
}

void RecordView::setTab(int tab, const QString &text)
{
    if (tabs_->tabText(tab) != text)
        tabs_->setTabText(tab, text);
}

void RecordView::fill()
{
    const api::RecordDetail &record = *detail_;
    type_->setText(text::typeName(record.message.type.value(), record.message.version.value()));
    id_->setText(toText(record.message.id));
    badge_->show(kindOf(record.state));
    sentence_->setText(text::stateSentence(record));
    facts_->setText(recordFacts(record));
    facts_->setToolTip(tr("staged %1\n%2").arg(text::moment(record.stagedAt), text::utc(record.stagedAt)));
    timeline_->show(record);
    payload_->show(record.message.payload);
    headers_->show(headersAsJson(record.message.headers));
    attempts_->setAttempts(record.attempts);
    replays_->setReplays(record.replays);
    setTab(0, tr("Payload"));
    setTab(1, tr("Headers %1").arg(record.message.headers.size()));
    setTab(2, tr("Failed tries %1").arg(record.attempts.size()));
    setTab(3, tr("Replays %1").arg(record.replays.size()));
    stack_->setCurrentIndex(1);
}

} // namespace outbox::ui
