// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/theme.h"

#include <QString>

namespace outbox::ui {

/// What a line of a chart is about; it decides the colour.
enum class ChartTone { pending, good, bad };

/// How one line of a chart is called and drawn: told apart by its shape too, never by colour alone.
struct ChartLine {
    QString name;
    ChartTone tone = ChartTone::pending;
    bool filled = false;
    bool dashed = false;
};

inline const QColor &chartColour(const theme::Colours &colours, ChartTone tone)
{
    switch (tone) {
    case ChartTone::pending: return colours.pending;
    case ChartTone::good: return colours.dispatched;
    case ChartTone::bad: break;
    }
    return colours.deadLetter;
}

} // namespace outbox::ui
