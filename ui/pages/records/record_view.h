// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "feed/question.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace outbox::ui {

class AttemptsModel;
class JsonView;
class Notice;
class ReplaysModel;
class StateBadge;
class Timeline;

/// All about one record: its state in words, its timeline, payload, headers, attempts and replays. (D3)
class RecordView final : public QWidget {
    Q_OBJECT
public:
    explicit RecordView(api::ConsolePort &port, QWidget *parent = nullptr);

    /// Asks for the record and shows it; what was shown stays until the answer comes.
    void show(const MessageId &id);
    /// Asks again for the record shown.
    void refresh();
    void clear();
    [[nodiscard]] const std::optional<api::RecordDetail> &detail() const { return detail_; }

private:
    QWidget *makeHead();
    QWidget *makeTimeline();
    QWidget *makeContent();
    void fill();
    void fail(const api::OperationError &error);
    void setTab(int tab, const QString &text);

    api::ConsolePort &port_;
    Question<api::RecordDetail> question_;
    std::optional<MessageId> wanted_;
    std::optional<api::RecordDetail> detail_;

    QStackedWidget *stack_;
    Notice *notice_;
    QLabel *type_ = nullptr;
    QLabel *id_ = nullptr;
    StateBadge *badge_ = nullptr;
    QLabel *sentence_ = nullptr;
    QLabel *facts_ = nullptr;
    QToolButton *copy_ = nullptr;
    Timeline *timeline_ = nullptr;
    QTabBar *tabs_ = nullptr;
    QStackedWidget *contents_ = nullptr;
    JsonView *payload_ = nullptr;
    JsonView *headers_ = nullptr;
    AttemptsModel *attempts_;
    ReplaysModel *replays_;
};

} // namespace outbox::ui
