// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include <algorithm>

namespace outbox::test {

/// The button whose text begins so; null when there is none.
inline QPushButton *button(const QWidget &in, const QString &text)
{
    const auto buttons = in.findChildren<QPushButton *>();
    for (QPushButton *each : buttons)
        if (each->text().startsWith(text))
            return each;
    return nullptr;
}

/// The widget of that class with that accessible name; null when there is none.
template <typename W>
W *named(const QWidget &in, const QString &accessibleName)
{
    const auto widgets = in.findChildren<W *>();
    for (W *each : widgets)
        if (each->accessibleName() == accessibleName)
            return each;
    return nullptr;
}

/// Some label in it says that.
inline bool says(const QWidget &in, const QString &text)
{
    const auto labels = in.findChildren<QLabel *>();
    return std::any_of(labels.cbegin(), labels.cend(),
                       [&](const QLabel *label) { return label->text().contains(text); });
}

} // namespace outbox::test
