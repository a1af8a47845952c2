// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state_badge.h"

#include "models/records_model.h"
#include "text/words.h"
#include "theme/theme.h"

#include <QEvent>

namespace outbox::ui {

StateBadge::StateBadge(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setFont(theme::headingFont());
}

void StateBadge::show(StateKind state)
{
    state_ = state;
    setText(QStringLiteral("%1 %2").arg(text::stateSymbol(state), text::stateText(state)));
    colour();
}

void StateBadge::colour()
{
    // A style sheet of its own, because the application's one sets label colours over palettes.
    const QString sheet =
        QStringLiteral("color: %1").arg(theme::stateColour(theme::coloursOf(parentWidget()->palette()), state_).name());
    if (styleSheet() != sheet)
        setStyleSheet(sheet);
}

void StateBadge::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && parentWidget())
        colour();
}

void StateDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto state = StateKind(index.data(RecordsModel::stateRole).toInt());
    option->text = QStringLiteral("%1 %2").arg(text::stateSymbol(state), option->text);
    const QColor &colour = theme::stateColour(theme::coloursOf(option->palette), state);
    for (const auto role : {QPalette::Text, QPalette::HighlightedText})
        option->palette.setColor(role, colour);
}

} // namespace outbox::ui
