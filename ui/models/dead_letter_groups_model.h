// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/snapshots.h"

#include <QAbstractTableModel>

namespace outbox::ui {

/// Dead letters that failed alike, largest group first.
class DeadLetterGroupsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { cause, type, destination, count, first, last, columns };

    using QAbstractTableModel::QAbstractTableModel;

    /// Changes rows in place as long as the groups are the same ones in the same order.
    void setGroups(QList<api::DeadLetterGroup> groups);
    [[nodiscard]] const api::DeadLetterGroup &group(int row) const { return groups_[row]; }
    [[nodiscard]] std::int64_t total() const;
    /// -1: no such group any more.
    [[nodiscard]] int rowOf(const api::DeadLetterGroup &group) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<api::DeadLetterGroup> groups_;
};

} // namespace outbox::ui
