// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shell/page_catalogue.h"

#include <QMainWindow>

class QLabel;
class QStackedWidget;

namespace outbox::ui {

class Banner;
class Navigation;

/// The window: navigation, header, one page at a time, status line. It knows pages only by their catalogue.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// The port outlives the window.
    explicit MainWindow(api::ConsolePort &port, QWidget *parent = nullptr);

    [[nodiscard]] Feed &feed() { return *feed_; }
    [[nodiscard]] Page *page(int index) const { return pages_[index]; }
    [[nodiscard]] int pageCount() const { return int(pages_.size()); }
    void showPage(int index);
    /// By its id in the catalogue; an unknown one changes nothing.
    void showPage(const QString &id);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeStatus();
    void addPages();
    void showRecord(const MessageId &id);
    void goTo();
    void showCondition();
    void updateWatched();

    api::ConsolePort &port_;
    Feed *feed_;
    QList<PageEntry> catalogue_;
    QList<Page *> pages_;
    Navigation *navigation_;
    Banner *banner_;
    QStackedWidget *stack_;
    QLabel *refreshed_ = nullptr;
    QLabel *zone_ = nullptr;
    QLabel *log_ = nullptr;
};

} // namespace outbox::ui
