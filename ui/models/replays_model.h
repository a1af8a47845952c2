// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/snapshots.h"

#include <QAbstractTableModel>

namespace outbox::ui {

/// The audited replays of one record, oldest first. (S23)
class ReplaysModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { at, actor, reason, failure, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void setReplays(QList<api::ReplayRow> replays);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<api::ReplayRow> replays_;
};

} // namespace outbox::ui
