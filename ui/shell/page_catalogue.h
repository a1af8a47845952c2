// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"

namespace outbox::ui {

/// One page of the window: add a line to the catalogue, and navigation, shortcut and test know it.
struct PageEntry {
    QString id;   ///< also the name of its icon
    QString name; ///< as the navigation shows it
    std::function<Page *(PageContext, QWidget *parent)> make;
};

/// In the order of the navigation; the first is shown at start.
QList<PageEntry> pageCatalogue();

} // namespace outbox::ui
