// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/dead_letter_groups_model.h"

#include "text/words.h"

#include <algorithm>
#include <numeric>

namespace outbox::ui {

namespace {

bool sameGroup(const api::DeadLetterGroup &a, const api::DeadLetterGroup &b)
{
    return a.cause == b.cause && a.type == b.type && a.version == b.version && a.destination == b.destination;
}

} // namespace

void DeadLetterGroupsModel::setGroups(QList<api::DeadLetterGroup> groups)
{
    if (std::equal(groups.cbegin(), groups.cend(), groups_.cbegin(), groups_.cend(), sameGroup)) {
        groups_ = std::move(groups);
        if (!groups_.isEmpty())
            Q_EMIT dataChanged(index(0, 0), index(int(groups_.size()) - 1, columns - 1));
        return;
    }
    beginResetModel();
    groups_ = std::move(groups);
    endResetModel();
}

std::int64_t DeadLetterGroupsModel::total() const
{
    return std::accumulate(groups_.cbegin(), groups_.cend(), std::int64_t{0},
                           [](std::int64_t sum, const api::DeadLetterGroup &group) { return sum + group.count; });
}

int DeadLetterGroupsModel::rowOf(const api::DeadLetterGroup &group) const
{
    const auto found = std::find_if(groups_.cbegin(), groups_.cend(),
                                    [&](const api::DeadLetterGroup &each) { return sameGroup(each, group); });
    return found == groups_.cend() ? -1 : int(found - groups_.cbegin());
}

int DeadLetterGroupsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(groups_.size());
}

int DeadLetterGroupsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(columns); }

QVariant DeadLetterGroupsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= groups_.size())
        return {};
    const api::DeadLetterGroup &group = groups_[index.row()];
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return tr("For example: %1").arg(group.sampleReason);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case cause: return text::causeText(group.cause);
    case type: return text::typeName(group.type, group.version);
    case destination: return text::destinationName(group.destination);
    case count: return text::number(group.count);
    case first: return text::clock(group.firstFailedAt);
    case last: return text::clock(group.lastFailedAt);
    default: return {};
    }
}

QVariant DeadLetterGroupsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case cause: return tr("Cause");
    case type: return tr("Type");
    case destination: return tr("Destination");
    case count: return tr("Records");
    case first: return tr("First failed");
    case last: return tr("Last failed");
    default: return {};
    }
}

} // namespace outbox::ui
