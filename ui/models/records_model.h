// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "feed/question.h"

#include <QAbstractTableModel>
#include <QSet>

namespace outbox::ui {

/// Where a list stands. Pages show a designed look for each.
enum class ListPhase { loading, ready, failed };

/// Records, newest first, read page by page as the view scrolls down; never counted, never all in memory
/// before somebody scrolls there. Keeps its rows when a refresh fails.
class RecordsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { time, type, state, attempts, due, failed, reason, destination, columns };
    enum Role { stateRole = Qt::UserRole + 1, idRole };
    static constexpr int pageSize = 200;

    /// Asks for one page; given by the page that owns the model.
    using Source =
        std::function<void(std::optional<api::RecordCursor> cursor, int limit, api::Reply<api::RecordPage> reply)>;

    using QAbstractTableModel::QAbstractTableModel;

    /// Another question: forgets the rows and asks for the first page.
    void setSource(Source source);
    /// Asks for the first page again and merges it: states change in place, new records come in on top, records
    /// that left the filter go. Nothing while an answer is awaited.
    void refresh();
    /// For the times that are told relative to now.
    void setNow(Timestamp now);

    [[nodiscard]] ListPhase phase() const { return phase_; }
    [[nodiscard]] const std::optional<api::OperationError> &error() const { return error_; }
    [[nodiscard]] const api::RecordRow &record(int row) const { return rows_[row]; }
    /// -1: not among the rows read so far.
    [[nodiscard]] int rowOf(const MessageId &id) const;
    [[nodiscard]] bool hasMore() const { return next_.has_value(); }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

Q_SIGNALS:
    /// Phase, error or number of rows changed.
    void changed();

private:
    void takeFirst(api::Answer<api::RecordPage> answer);
    void takeMore(api::Answer<api::RecordPage> answer);
    void replace(api::RecordPage page);
    void merge(const api::RecordPage &page, const QSet<MessageId> &ids);
    void fail(api::OperationError error);
    [[nodiscard]] QString text(const api::RecordRow &row, int column) const;

    Source source_;
    QList<api::RecordRow> rows_;
    std::optional<api::RecordCursor> next_;
    Question<api::RecordPage> first_;
    Question<api::RecordPage> more_;
    ListPhase phase_ = ListPhase::loading;
    std::optional<api::OperationError> error_;
    Timestamp now_;
};

} // namespace outbox::ui
