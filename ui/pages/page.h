// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "feed/feed.h"

#include <QWidget>

namespace outbox::ui {

/// What a page is given. Both outlive it.
struct PageContext {
    api::ConsolePort &port;
    Feed &feed;
};

/// One page of the window. It shows what models hold and says what is wanted; it asks only through the port,
/// and only while it is visible.
class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Ask again, in the background; called when the page is shown and on every tick while it is.
    virtual void refresh() = 0;
    /// Go to one record; pages that cannot do nothing.
    virtual void showRecord(const MessageId &id) { Q_UNUSED(id) }
    /// Put the cursor where an id can be typed; false: there is no such place.
    virtual bool focusSearch() { return false; }

Q_SIGNALS:
    void recordWanted(const outbox::MessageId &id);
    void deadLettersWanted();

protected:
    void showEvent(QShowEvent *event) override
    {
        QWidget::showEvent(event);
        refresh();
    }
};

} // namespace outbox::ui
