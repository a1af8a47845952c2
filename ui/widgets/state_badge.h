// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/state.h"

#include <QLabel>
#include <QStyledItemDelegate>

namespace outbox::ui {

/// A state as symbol, word and colour.
class StateBadge final : public QLabel {
    Q_OBJECT
public:
    explicit StateBadge(QWidget *parent = nullptr);
    void show(StateKind state);

protected:
    void changeEvent(QEvent *event) override;

private:
    void colour();
    StateKind state_ = StateKind::pending;
};

/// The same in a table cell; the model gives the state in RecordsModel::stateRole.
class StateDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace outbox::ui
