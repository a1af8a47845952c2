// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_line.h"

#include <QList>
#include <QPointF>
#include <QWidget>

#include <memory>

namespace outbox::ui {

/// Lines over time. The only place that knows which chart library draws them. (D2)
class TimeChart final : public QWidget {
    Q_OBJECT
public:
    TimeChart(const QString &name, const QList<ChartLine> &lines, QWidget *parent = nullptr);
    ~TimeChart() override;

    /// x in milliseconds since the epoch, ascending; y a count, 0 or more. One list a line.
    void setPoints(const QList<QList<QPointF>> &points);
    /// What the axis covers, in milliseconds since the epoch.
    void setSpan(std::int64_t from, std::int64_t to);
    /// Said in the middle while there is nothing to draw; empty: nothing is said.
    void setNotice(const QString &text);

    [[nodiscard]] QSize sizeHint() const override { return {480, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Parts;
    void colour();
    void scale();
    void point(const QPointF &at);

    std::unique_ptr<Parts> parts_;
};

} // namespace outbox::ui
