// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/records_model.h"

#include "text/words.h"

#include <algorithm>

namespace outbox::ui {

void RecordsModel::setSource(Source source)
{
    source_ = std::move(source);
    more_.forget();
    beginResetModel();
    rows_.clear();
    next_.reset();
    phase_ = ListPhase::loading;
    error_.reset();
    endResetModel();
    Q_EMIT changed();
    first_.forget();
    refresh();
}

void RecordsModel::refresh()
{
    if (!source_ || first_.isWaiting() || more_.isWaiting())
        return;
    first_.ask(
        this, [this](api::Reply<api::RecordPage> reply) { source_(std::nullopt, pageSize, std::move(reply)); },
        [this](api::Answer<api::RecordPage> answer) { takeFirst(std::move(answer)); });
}

void RecordsModel::setNow(Timestamp now)
{
    now_ = now;
    if (!rows_.isEmpty())
        Q_EMIT dataChanged(index(0, due), index(int(rows_.size()) - 1, due), {Qt::DisplayRole});
}

int RecordsModel::rowOf(const MessageId &id) const
{
    const auto found = std::find_if(rows_.cbegin(), rows_.cend(), [&](const auto &row) { return row.id == id; });
    return found == rows_.cend() ? -1 : int(found - rows_.cbegin());
}

int RecordsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

int RecordsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(columns); }

QString RecordsModel::text(const api::RecordRow &row, int column) const
{
    switch (column) {
    case time: return text::clock(row.stagedAt);
    case type: return text::typeName(row.type, row.version);
    case state: return text::stateText(kindOf(row.state));
    case attempts: return text::number(text::attempts(row.state));
    case due: return text::due(row.state, now_);
    case destination: return text::destinationName(row.destination);
    case failed: {
        const auto *dead = std::get_if<DeadLetter>(&row.state);
        return dead ? text::clock(dead->failedAt) : QString();
    }
    case reason: {
        const auto *dead = std::get_if<DeadLetter>(&row.state);
        return dead ? (dead->reason.isEmpty() ? text::causeText(dead->cause) : dead->reason) : QString();
    }
    default: return {};
    }
}

QVariant RecordsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rows_.size())
        return {};
    const api::RecordRow &row = rows_[index.row()];
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::ToolTipRole:
        if (index.column() == time)
            return QStringLiteral("%1\n%2").arg(text::moment(row.stagedAt), text::utc(row.stagedAt));
        return index.column() == reason ? QVariant(text(row, reason)) : QVariant();
    case Qt::TextAlignmentRole:
        return int((index.column() == attempts ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case stateRole: return int(kindOf(row.state));
    case idRole: return row.id.value();
    default: return {};
    }
}

QVariant RecordsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == attempts ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case time: return tr("Staged");
    case type: return tr("Type");
    case state: return tr("State");
    case attempts: return tr("Tries");
    case due: return tr("Due");
    case failed: return tr("Failed");
    case reason: return tr("Reason");
    case destination: return tr("Destination");
    default: return {};
    }
}

bool RecordsModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && next_ && !more_.isWaiting();
}

void RecordsModel::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent))
        return;
    more_.ask(
        this, [this](api::Reply<api::RecordPage> reply) { source_(next_, pageSize, std::move(reply)); },
        [this](api::Answer<api::RecordPage> answer) { takeMore(std::move(answer)); });
}

void RecordsModel::fail(api::OperationError error)
{
    error_ = std::move(error);
    if (rows_.isEmpty())
        phase_ = ListPhase::failed;
    Q_EMIT changed();
}

void RecordsModel::takeFirst(api::Answer<api::RecordPage> answer)
{
    if (!answer.ok())
        return fail(answer.error());
    error_.reset();
    const api::RecordPage page = std::move(answer).value();
    QSet<MessageId> ids;
    for (const api::RecordRow &row : page.rows)
        ids.insert(row.id);
    const bool overlaps =
        std::any_of(rows_.cbegin(), rows_.cend(), [&](const api::RecordRow &row) { return ids.contains(row.id); });
    if (phase_ == ListPhase::ready && overlaps)
        merge(page, ids);
    else
        replace(page);
    phase_ = ListPhase::ready;
    Q_EMIT changed();
}

void RecordsModel::takeMore(api::Answer<api::RecordPage> answer)
{
    if (!answer.ok())
        return fail(answer.error());
    error_.reset();
    const api::RecordPage page = std::move(answer).value();
    if (!page.rows.isEmpty()) {
        beginInsertRows({}, int(rows_.size()), int(rows_.size() + page.rows.size()) - 1);
        rows_ += page.rows;
        endInsertRows();
    }
    next_ = page.next;
    Q_EMIT changed();
}

void RecordsModel::replace(api::RecordPage page)
{
    more_.forget();
    beginResetModel();
    rows_ = std::move(page.rows);
    next_ = page.next;
    endResetModel();
}

void RecordsModel::merge(const api::RecordPage &page, const QSet<MessageId> &ids)
{
    // Rows older than the page's end are beyond what it can tell about; a last page tells about all.
    const auto covers = [&](const api::RecordRow &row) { return !page.next || !(row.id < page.rows.constLast().id); };
    for (int i = int(rows_.size()) - 1; i >= 0; --i) {
        if (!covers(rows_[i]) || ids.contains(rows_[i].id))
            continue;
        beginRemoveRows({}, i, i);
        rows_.removeAt(i);
        endRemoveRows();
    }
    for (int i = 0; i < page.rows.size(); ++i) {
        if (i < rows_.size() && rows_[i].id == page.rows[i].id) {
            rows_[i] = page.rows[i];
            continue;
        }
        int last = i;
        while (last + 1 < page.rows.size() && !(i < rows_.size() && rows_[i].id == page.rows[last + 1].id))
            ++last;
        beginInsertRows({}, i, last);
        rows_ = rows_.mid(0, i) + page.rows.mid(i, last - i + 1) + rows_.mid(i);
        endInsertRows();
        i = last;
    }
    if (!page.next)
        next_.reset();
    if (!page.rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(page.rows.size()) - 1, columns - 1));
}

} // namespace outbox::ui
