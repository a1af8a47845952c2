// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace outbox::ui {

/// A table as every page shows one: whole rows, no grid, the column headings of one look, quick with a
/// million rows because all are of one height.
class DataTable final : public QTableView {
    Q_OBJECT
public:
    DataTable(const QString &name, QAbstractItemModel *model, QWidget *parent = nullptr);

    /// Widths in pixels by column; `stretched` takes what is left.
    void setWidths(std::initializer_list<std::pair<int, int>> widths, int stretched);

Q_SIGNALS:
    /// The current row changed to one that exists.
    void rowChosen(int row);

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
};

} // namespace outbox::ui
