// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "feed/feed.h"

#include <QFrame>

class QComboBox;
class QLabel;
class QPushButton;

namespace outbox::ui {

class Pill;
class Switch;

/// Which store, how it is, whether this computer dispatches, and how often the window asks.
class HeaderBar final : public QFrame {
    Q_OBJECT
public:
    HeaderBar(api::ConsolePort &port, Feed &feed, QWidget *parent = nullptr);

Q_SIGNALS:
    void goToWanted();

private:
    void showStore(const api::StoreStatus &status);
    void showDispatcher(const api::DispatcherStatus &status);
    void showPaused(bool paused);

    api::ConsolePort &port_;
    Feed &feed_;
    QLabel *store_;
    Pill *health_;
    Switch *dispatch_;
    QComboBox *interval_;
    QPushButton *pause_;
};

} // namespace outbox::ui
