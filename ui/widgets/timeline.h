// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline_items.h"

#include <QWidget>

namespace outbox::ui {

/// A record's way on one honest time axis: a row for each state it was in, a bar for how long, a mark for each
/// failure, acceptance and replay. Arrow keys go from item to item; the line below tells the chosen one. (D3)
class Timeline final : public QWidget {
    Q_OBJECT
public:
    explicit Timeline(QWidget *parent = nullptr);

    void show(const api::RecordDetail &record);
    [[nodiscard]] const QList<TimelineItem> &items() const { return items_; }
    /// The words of the chosen item; empty: none.
    [[nodiscard]] QString chosen() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    void choose(int item);
    [[nodiscard]] double x(Timestamp at) const;
    [[nodiscard]] int rowOf(const TimelineItem &item) const;
    [[nodiscard]] QRectF place(const TimelineItem &item) const;
    void paintAxis(QPainter &painter) const;
    void paintItem(QPainter &painter, const TimelineItem &item) const;

    QList<TimelineItem> items_;
    QList<StateKind> rows_; ///< states that occur
    Timestamp from_;
    Timestamp to_;
    Timestamp now_;
    MessageId id_;
    int chosen_ = -1;
};

} // namespace outbox::ui
