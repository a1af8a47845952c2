// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QStyle>
#include <QStyleFactory>

#include <utility>

// Outside of any namespace, as the macro wants it.
static void makeResourcesKnown() { Q_INIT_RESOURCE(console); }

namespace outbox::ui::theme {

namespace {

QColor rgb(QRgb value) { return QColor(value); }

const Colours light{
    Scheme::light, rgb(0x1b2430), rgb(0x5d6978), rgb(0xf6f7f9), rgb(0xffffff),
    rgb(0xe2e5ea), rgb(0xe9ecf1), rgb(0xf0f2f5), rgb(0x1f5fb8), rgb(0xe1edfc),
    rgb(0xffffff), rgb(0x2f6fd0), rgb(0xa86a12), rgb(0x1f8a55), rgb(0xc2362f),
};

const Colours dark{
    Scheme::dark,  rgb(0xe4e8ee), rgb(0x98a3b1), rgb(0x16191e), rgb(0x1e2228),
    rgb(0x30363f), rgb(0x2c323a), rgb(0x272c34), rgb(0x6aa5f5), rgb(0x26374f),
    rgb(0x10141a), rgb(0x6aa5f5), rgb(0xe0ac52), rgb(0x4cc38a), rgb(0xf0716a),
};

QFont sized(int pixels, QFont::Weight weight)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

/// The style sheet names colours as @name; this puts them in.
QString styleSheet(Scheme scheme)
{
    QFile file(QStringLiteral(":/outbox/styles/console.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString text = QString::fromUtf8(file.readAll());
    const Colours &c = colours(scheme);
    const std::pair<QString, QColor> names[] = {
        // Longer names first: @accentSoft begins with @accent.
        {QStringLiteral("@accentSoft"), c.accentSoft},
        {QStringLiteral("@accent"), c.accent},
        {QStringLiteral("@onAccent"), c.onAccent},
        {QStringLiteral("@secondary"), c.secondary},
        {QStringLiteral("@ground"), c.ground},
        {QStringLiteral("@card"), c.card},
        {QStringLiteral("@line"), c.line},
        {QStringLiteral("@track"), c.track},
        {QStringLiteral("@hover"), c.hover},
        {QStringLiteral("@ink"), c.ink},
        {QStringLiteral("@error"), c.deadLetter},
        {QStringLiteral("@good"), c.dispatched},
        {QStringLiteral("@warning"), c.processing},
    };
    for (const auto &[name, colour] : names)
        text.replace(name, colour.name());
    text.replace(QStringLiteral("@scheme"), scheme == Scheme::dark ? QStringLiteral("dark") : QStringLiteral("light"));
    return text;
}

} // namespace

const Colours &colours(Scheme scheme) { return scheme == Scheme::dark ? dark : light; }

const Colours &coloursOf(const QPalette &palette)
{
    return palette.color(QPalette::Active, QPalette::WindowText).lightness() > 127 ? dark : light;
}

const QColor &stateColour(const Colours &colours, StateKind state)
{
    switch (state) {
    case StateKind::pending: return colours.pending;
    case StateKind::processing: return colours.processing;
    case StateKind::dispatched: return colours.dispatched;
    case StateKind::dead_letter: break;
    }
    return colours.deadLetter;
}

QPalette palette(Scheme scheme)
{
    const Colours &c = colours(scheme);
    QPalette p;
    p.setColor(QPalette::Window, c.ground);
    p.setColor(QPalette::WindowText, c.ink);
    p.setColor(QPalette::Base, c.card);
    p.setColor(QPalette::AlternateBase, c.ground);
    p.setColor(QPalette::Text, c.ink);
    p.setColor(QPalette::PlaceholderText, c.secondary);
    p.setColor(QPalette::Button, c.card);
    p.setColor(QPalette::ButtonText, c.ink);
    p.setColor(QPalette::BrightText, c.onAccent);
    p.setColor(QPalette::ToolTipBase, c.card);
    p.setColor(QPalette::ToolTipText, c.ink);
    p.setColor(QPalette::Highlight, c.accentSoft);
    p.setColor(QPalette::HighlightedText, c.ink);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.accent);
    p.setColor(QPalette::Light, c.hover);
    p.setColor(QPalette::Midlight, c.track);
    p.setColor(QPalette::Mid, c.line);
    p.setColor(QPalette::Dark, c.line);
    p.setColor(QPalette::Shadow, c.line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, c.secondary);
    return p;
}

void apply(QApplication &application, Scheme scheme)
{
    makeResourcesKnown();
    if (application.style()->objectName() != QStringLiteral("fusion"))
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(palette(scheme));
    QApplication::setFont(textFont());
    application.setStyleSheet(styleSheet(scheme));
}

Scheme systemScheme()
{
    const QPalette system = QApplication::style() ? QApplication::style()->standardPalette() : QPalette();
    const QPalette current = QApplication::palette();
    const auto &p = current.isBrushSet(QPalette::Active, QPalette::Window) ? current : system;
    return p.color(QPalette::Window).lightness() < 128 ? Scheme::dark : Scheme::light;
}

QFont textFont() { return sized(13, QFont::Normal); }
QFont captionFont() { return sized(12, QFont::Normal); }
QFont headingFont() { return sized(13, QFont::DemiBold); }
QFont titleFont() { return sized(16, QFont::DemiBold); }
QFont figureFont() { return sized(30, QFont::DemiBold); }

QFont codeFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(12);
    return font;
}

} // namespace outbox::ui::theme
