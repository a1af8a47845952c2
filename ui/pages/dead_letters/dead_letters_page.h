// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/replay/replay_run.h"
#include "pages/page.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace outbox::ui {

class Card;
class DataTable;
class DeadLetterGroupsModel;
class Notice;
class RecordsModel;

/// What was given up, grouped by what failed alike, and the way back through the replay dialog. (D4)
class DeadLettersPage final : public Page {
    Q_OBJECT
public:
    explicit DeadLettersPage(PageContext context, QWidget *parent = nullptr);

    void refresh() override;

private:
    QWidget *makeGroups();
    QWidget *makeList();
    void takeGroups(api::Answer<QList<api::DeadLetterGroup>> answer);
    void chooseGroup(const std::optional<api::DeadLetterGroup> &group);
    void showState();
    [[nodiscard]] QList<api::RecordRow> selected() const;
    void replay(const ReplayChoice &choice);

    PageContext context_;
    DeadLetterGroupsModel *groups_;
    RecordsModel *model_;
    Question<QList<api::DeadLetterGroup>> question_;
    Kept<bool> answered_; ///< whether, and when, the groups were told
    std::optional<api::DeadLetterGroup> group_;

    QStackedWidget *stack_ = nullptr;
    Notice *notice_ = nullptr;
    DataTable *groupTable_ = nullptr;
    DataTable *table_ = nullptr;
    QLabel *groupFoot_ = nullptr;
    QLabel *listTitle_ = nullptr;
    QLabel *foot_ = nullptr;
    QPushButton *all_ = nullptr;
    QPushButton *replaySelected_ = nullptr;
    QPushButton *replayAll_ = nullptr;
};

} // namespace outbox::ui
