// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace outbox::ui {

class DataTable;
class Notice;
class RecordsModel;
class RecordView;

/// Any record: newest first, by state and type, or straight to an id.
class RecordsPage final : public Page {
    Q_OBJECT
public:
    explicit RecordsPage(PageContext context, QWidget *parent = nullptr);

    void refresh() override;
    void showRecord(const MessageId &id) override;
    bool focusSearch() override;

private:
    QWidget *makeList();
    QWidget *makeFilters();
    void askTypes();
    void applyFilter();
    void goToTypedId();
    void showPhase();
    void choose(int row);

    PageContext context_;
    RecordsModel *model_;
    Question<QStringList> typesQuestion_;
    std::optional<MessageId> chosen_;
    QString idProblem_; ///< why what was typed is no id; empty: nothing wrong

    QComboBox *state_ = nullptr;
    QComboBox *type_ = nullptr;
    QLineEdit *id_ = nullptr;
    DataTable *table_ = nullptr;
    QStackedWidget *stack_ = nullptr;
    Notice *notice_ = nullptr;
    QLabel *foot_ = nullptr;
    RecordView *view_ = nullptr;
};

} // namespace outbox::ui
