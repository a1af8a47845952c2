// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QFrame>
#include <QList>

class QButtonGroup;
class QVBoxLayout;

namespace outbox::ui {

/// One line of the navigation: icon, name and, where something counts, a badge.
class NavigationButton final : public QAbstractButton {
    Q_OBJECT
public:
    NavigationButton(const QString &icon, const QString &name, QWidget *parent);
    void setBadge(const QString &badge);
    [[nodiscard]] QString badge() const { return badge_; }
    [[nodiscard]] QSize sizeHint() const override { return {160, 34}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    void tell();
    QString badge_;
    bool byKeyboard_ = false; ///< the focus came by keyboard, so it is drawn
};

/// The left edge: every page, Ctrl+1 and so on, arrow keys up and down.
class Navigation final : public QFrame {
    Q_OBJECT
public:
    explicit Navigation(QWidget *parent = nullptr);

    void add(const QString &icon, const QString &name);
    void setCurrent(int page);
    [[nodiscard]] NavigationButton *button(int page) const { return buttons_[page]; }
    [[nodiscard]] int count() const { return int(buttons_.size()); }

Q_SIGNALS:
    void chosen(int page);

private:
    QList<NavigationButton *> buttons_;
    QButtonGroup *group_;
    QVBoxLayout *layout_;
};

} // namespace outbox::ui
