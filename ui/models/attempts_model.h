// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/snapshots.h"

#include <QAbstractTableModel>

namespace outbox::ui {

/// The failed attempts of one record, oldest first.
class AttemptsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { number, started, took, worker, cause, summary, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void setAttempts(QList<api::AttemptRow> attempts);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<api::AttemptRow> attempts_;
};

} // namespace outbox::ui
