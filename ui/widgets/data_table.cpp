// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data_table.h"

#include "theme/theme.h"

#include <QHeaderView>

namespace outbox::ui {

DataTable::DataTable(const QString &name, QAbstractItemModel *model, QWidget *parent) : QTableView(parent)
{
    setAccessibleName(name);
    setModel(model);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideRight);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setFrameShape(QFrame::NoFrame);
    viewport()->setAutoFillBackground(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(theme::rowHeight);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(48);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setFocusPolicy(Qt::NoFocus);
}

void DataTable::setWidths(std::initializer_list<std::pair<int, int>> widths, int stretched)
{
    for (const auto &[column, width] : widths)
        setColumnWidth(column, width);
    horizontalHeader()->setSectionResizeMode(stretched, QHeaderView::Stretch);
}

void DataTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (current.isValid() && current.row() != previous.row())
        Q_EMIT rowChosen(current.row());
}

} // namespace outbox::ui
