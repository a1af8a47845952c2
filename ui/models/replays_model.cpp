// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/replays_model.h"

#include "text/words.h"

namespace outbox::ui {

void ReplaysModel::setReplays(QList<api::ReplayRow> replays)
{
    if (replays.size() == replays_.size() &&
        std::equal(replays.cbegin(), replays.cend(), replays_.cbegin(),
                   [](const auto &a, const auto &b) { return a.at == b.at && a.actor == b.actor; }))
        return;
    beginResetModel();
    replays_ = std::move(replays);
    endResetModel();
}

int ReplaysModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(replays_.size()); }

int ReplaysModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(columns); }

QVariant ReplaysModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= replays_.size())
        return {};
    const api::ReplayRow &replay = replays_[index.row()];
    if (role == Qt::ToolTipRole && index.column() == at)
        return QStringLiteral("%1\n%2").arg(text::moment(replay.at), text::utc(replay.at));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case at: return text::clock(replay.at);
    case actor: return replay.actor;
    case reason: return replay.reason;
    case failure: return replay.failure.isEmpty() ? text::causeText(replay.cause) : replay.failure;
    default: return {};
    }
}

QVariant ReplaysModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case at: return tr("When");
    case actor: return tr("Who");
    case reason: return tr("Why");
    case failure: return tr("What had failed");
    default: return {};
    }
}

} // namespace outbox::ui
