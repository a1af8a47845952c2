// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/snapshots.h"

#include <QAbstractTableModel>

namespace outbox::ui {

/// What became of each record of a replay, as the answers come in.
class VerdictsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { record, verdict, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void append(const QList<api::ReplayVerdict> &verdicts);
    [[nodiscard]] qsizetype replayed() const { return replayed_; }
    [[nodiscard]] qsizetype refused() const { return verdicts_.size() - replayed_; }
    /// One line a record, with tabs: for the clipboard.
    [[nodiscard]] QString asText() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] static QString say(const api::ReplayVerdict &each);

    QList<api::ReplayVerdict> verdicts_;
    qsizetype replayed_ = 0;
};

} // namespace outbox::ui
