// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace outbox::ui {

/// What stands where content would be: nothing here, loading, or why it failed, and what to do about it.
class Notice final : public QWidget {
    Q_OBJECT
public:
    explicit Notice(QWidget *parent = nullptr);

    /// `icon` is a name of resources/icons. Without an action there is no button.
    void show(const QString &icon, const QString &title, const QString &text, const QString &action = {});
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void actionWanted();

private:
    QLabel *picture_;
    QLabel *title_;
    QLabel *text_;
    QPushButton *action_;
    QString icon_;
};

} // namespace outbox::ui
