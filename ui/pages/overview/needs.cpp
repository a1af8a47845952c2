// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/overview/overview_page.h"
#include "text/words.h"
#include "theme/theme.h"
#include "widgets/card.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace outbox::ui {

void OverviewPage::addNeed(const QString &mark, const QString &title, const QString &text, const QString &action,
                           void (OverviewPage::*wanted)())
{
    auto *item = new QWidget(this);
    auto *line = new QHBoxLayout(item);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(theme::gap);
    auto *bar = new QFrame(item);
    bar->setProperty("look", mark);
    bar->setFixedWidth(3);
    line->addWidget(bar);
    auto *layout = new QVBoxLayout;
    layout->setSpacing(2);
    line->addLayout(layout, 1);
    layout->addWidget(makeHeading(title, item));
    auto *words = makeCaption(text, item);
    words->setWordWrap(true);
    layout->addWidget(words);
    if (wanted) {
        auto *link = new QPushButton(action, item);
        link->setProperty("look", QStringLiteral("link"));
        link->setAccessibleName(QStringLiteral("%1: %2").arg(title, action));
        link->setCursor(Qt::PointingHandCursor);
        connect(link, &QPushButton::clicked, this, wanted);
        // Aligned, so that its width does not become the most that the lines above may have.
        layout->addWidget(link, 0, Qt::AlignLeft);
    }
    needs_->addWidget(item);
}

void OverviewPage::showNeeds()
{
    const QString bad = QStringLiteral("mark-error");
    const QString warning = QStringLiteral("mark-warning");
    struct Need {
        QString mark;
        QString title;
        QString text;
        QString action;
        void (OverviewPage::*wanted)() = nullptr;
    };
    QList<Need> needs;
    const auto &overview = context_.feed.overview();
    if (overview.error)
        needs.append({bad, tr("The store does not answer"), overview.error->text, {}, nullptr});
    for (qsizetype i = 0; i < std::min<qsizetype>(groups_.size(), 2); ++i) {
        const api::DeadLetterGroup &group = groups_[i];
        needs.append({bad,
                      tr("%1 given up: %2").arg(text::records(group.count), text::typeName(group.type, group.version)),
                      tr("%1, last at %2").arg(text::causeText(group.cause), text::clock(group.lastFailedAt)),
                      tr("Show dead letters"), &OverviewPage::deadLettersWanted});
    }
    const bool off = dispatcher_.phase == api::DispatcherStatus::Phase::off;
    if (off && overview.value && overview.value->pending.value > 0 && overview.value->processing.value == 0 &&
        context_.feed.growth().value_or(0) >= 0)
        needs.append({warning,
                      tr("%1 wait, and nothing takes them").arg(text::records(overview.value->pending.value)),
                      tr("This computer does not dispatch, and no other worker holds any record now."),
                      {},
                      nullptr});
    if (needs.isEmpty())
        needs.append({QStringLiteral("mark-good"),
                      tr("Nothing"),
                      overview.value ? tr("No dead letters, and the store answers.") : tr("Nothing known yet."),
                      {},
                      nullptr});
    QString shown;
    for (const Need &need : std::as_const(needs))
        shown += need.title + need.text;
    if (shown == needsShown_)
        return;
    needsShown_ = shown;
    while (QLayoutItem *item = needs_->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const Need &need : std::as_const(needs))
        addNeed(need.mark, need.title, need.text, need.action, need.wanted);
}

} // namespace outbox::ui
