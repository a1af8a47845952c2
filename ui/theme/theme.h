// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/state.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>

class QApplication;

namespace outbox::ui::theme {

enum class Scheme { light, dark };

/// Every colour of the window. Widgets ask coloursOf(palette()) when they paint and keep none.
struct Colours {
    Scheme scheme;
    QColor ink;
    QColor secondary;
    QColor ground;
    QColor card;
    QColor line;
    QColor track; ///< what a gauge or a bar has not filled
    QColor hover;
    QColor accent;
    QColor accentSoft; ///< behind what is selected
    QColor onAccent;
    QColor pending;
    QColor processing; ///< also the colour of a warning
    QColor dispatched;
    QColor deadLetter; ///< also the colour of an error
};

// The grid is 4 px; everything is a multiple of it. Radius of cards 8, of controls 6.
inline constexpr int gap = 12;
inline constexpr int padding = 16;
inline constexpr int radius = 8;
inline constexpr int rowHeight = 32;

const Colours &colours(Scheme scheme);
/// The colours that belong to a palette made by palette().
const Colours &coloursOf(const QPalette &palette);
const QColor &stateColour(const Colours &colours, StateKind state);

QPalette palette(Scheme scheme);
/// Sets Fusion, the palette, the type scale and the style sheet. Again at any time: all widgets follow.
void apply(QApplication &application, Scheme scheme);
/// What the platform's own palette says. Ask before the first apply().
Scheme systemScheme();

QFont textFont();    ///< 13
QFont captionFont(); ///< 12
QFont headingFont(); ///< 13 semibold
QFont titleFont();   ///< 16 semibold
QFont figureFont();  ///< 30 semibold
QFont codeFont();    ///< 12, fixed pitch

/// One of resources/icons by its file's name, drawn in the palette's ink; the accent when selected or
/// checked, and the secondary colour when disabled. Follows apply().
QIcon icon(const QString &name);

} // namespace outbox::ui::theme
