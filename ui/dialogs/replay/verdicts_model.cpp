// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/replay/verdicts_model.h"

namespace outbox::ui {

void VerdictsModel::append(const QList<api::ReplayVerdict> &verdicts)
{
    if (verdicts.isEmpty())
        return;
    beginInsertRows({}, int(verdicts_.size()), int(verdicts_.size() + verdicts.size()) - 1);
    for (const api::ReplayVerdict &each : verdicts)
        replayed_ += each.replayed ? 1 : 0;
    verdicts_ += verdicts;
    endInsertRows();
}

QString VerdictsModel::say(const api::ReplayVerdict &each)
{
    return each.replayed ? tr("✓ replayed, pending again") : tr("✖ left as it is: %1").arg(each.why);
}

QString VerdictsModel::asText() const
{
    QString text;
    for (const api::ReplayVerdict &each : verdicts_)
        text += toText(each.id) + u'\t' + say(each) + u'\n';
    return text;
}

int VerdictsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(verdicts_.size()); }

int VerdictsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(columns); }

QVariant VerdictsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= verdicts_.size() || role != Qt::DisplayRole)
        return {};
    const api::ReplayVerdict &each = verdicts_[index.row()];
    return index.column() == record ? toText(each.id) : say(each);
}

QVariant VerdictsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == record ? tr("Record") : tr("What became of it");
}

} // namespace outbox::ui
