// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_line.h"

#include <QList>
#include <QWidget>

namespace outbox::ui {

/// The names of a chart's lines, each behind a piece of its line.
class Legend final : public QWidget {
    Q_OBJECT
public:
    explicit Legend(const QList<ChartLine> &lines, QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {240, 24}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<ChartLine> lines_;
};

} // namespace outbox::ui
