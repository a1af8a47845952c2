// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attempts_model.h"

#include "text/words.h"

namespace outbox::ui {

void AttemptsModel::setAttempts(QList<api::AttemptRow> attempts)
{
    const int before = int(attempts_.size());
    const int after = int(attempts.size());
    // The ledger only grows while one record is shown; anything else is another record.
    const bool grew = before > 0 && after >= before && attempts[0].startedAt == attempts_[0].startedAt;
    if (!grew) {
        beginResetModel();
        attempts_ = std::move(attempts);
        endResetModel();
        return;
    }
    if (after == before)
        return;
    beginInsertRows({}, before, after - 1);
    attempts_ = std::move(attempts);
    endInsertRows();
}

int AttemptsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(attempts_.size()); }

int AttemptsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(columns); }

QVariant AttemptsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= attempts_.size())
        return {};
    const api::AttemptRow &attempt = attempts_[index.row()];
    if (role == Qt::ToolTipRole)
        return index.column() == started
                   ? QStringLiteral("%1\n%2").arg(text::moment(attempt.startedAt), text::utc(attempt.startedAt))
                   : attempt.summary;
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case number: return text::number(attempt.number);
    case started: return text::clock(attempt.startedAt);
    case took: return text::duration(text::between(attempt.startedAt, attempt.endedAt));
    case worker: return attempt.worker;
    case cause: return text::causeText(attempt.cause);
    case summary: return attempt.summary;
    default: return {};
    }
}

QVariant AttemptsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case number: return tr("Try");
    case started: return tr("Started");
    case took: return tr("Took");
    case worker: return tr("Worker");
    case cause: return tr("Cause");
    case summary: return tr("What was said");
    default: return {};
    }
}

} // namespace outbox::ui
