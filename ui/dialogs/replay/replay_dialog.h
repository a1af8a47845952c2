// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/replay/replay_run.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace outbox::ui {

class VerdictsModel;

/// The way of dead letters back: what, who and why, result. The safe button is the default one, a reason is
/// required, the actor is the database's own identity and cannot be edited. (D4, S23)
class ReplayDialog final : public QDialog {
    Q_OBJECT
public:
    ReplayDialog(api::ConsolePort &port, const ReplayChoice &choice, QWidget *parent = nullptr);

    /// At least one record was put back.
    [[nodiscard]] bool changedAnything() const;
    /// Above this many, the number is typed before it goes.
    static constexpr int typedAbove = 100;

    void reject() override;

private:
    enum Step { what, why, result };

    QWidget *makeHead();
    QWidget *makeSteps();
    QWidget *makeWhat();
    QWidget *makeWhy();
    QWidget *makeResult();
    QWidget *makeFoot();
    void showList();
    void go(Step step);
    void check();
    void run();
    void showEnd(const QString &problem);

    api::ConsolePort &port_;
    ReplayChoice choice_;
    ReplayRun *run_;
    VerdictsModel *verdicts_;
    Step step_ = what;
    bool frozen_ = false;

    QStackedWidget *pages_ = nullptr;
    QList<QLabel *> steps_;
    QLabel *whatTitle_ = nullptr;
    QLabel *whatText_ = nullptr;
    QVBoxLayout *groups_ = nullptr;
    QLineEdit *actor_ = nullptr;
    QPlainTextEdit *reason_ = nullptr;
    QLabel *hint_ = nullptr;
    QLabel *typedTitle_ = nullptr;
    QLineEdit *typed_ = nullptr;
    QLabel *resultTitle_ = nullptr;
    QLabel *resultText_ = nullptr;
    QProgressBar *progress_ = nullptr;
    QPushButton *cancel_ = nullptr;
    QPushButton *copy_ = nullptr;
    QPushButton *back_ = nullptr;
    QPushButton *forward_ = nullptr;
};

} // namespace outbox::ui
