// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;

namespace outbox::ui {

/// A line across the window while something is wrong with all that is shown: it says what, and how old the
/// numbers below are.
class Banner final : public QFrame {
    Q_OBJECT
public:
    explicit Banner(QWidget *parent = nullptr);

    /// Hidden when `title` is empty.
    void show(const QString &title, const QString &text);
    [[nodiscard]] QString text() const;

private:
    QLabel *title_;
    QLabel *text_;
};

} // namespace outbox::ui
