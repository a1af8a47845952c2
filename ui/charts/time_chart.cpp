// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/time_chart.h"

#include "charts/legend.h"
#include "charts/scale.h"
#include "theme/theme.h"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLabel>
#include <QLineSeries>
#include <QLocale>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace outbox::ui {

struct TimeChart::Parts {
    QList<ChartLine> lines;
    QChart *chart = nullptr;
    QChartView *view = nullptr;
    QCategoryAxis *time = nullptr;
    QCategoryAxis *count = nullptr;
    QList<QLineSeries *> series;
    QList<QAreaSeries *> areas; ///< null where a line is not filled
    QList<QList<QPointF>> points;
    QLabel *notice = nullptr;
    QList<Tick> counts;
    std::int64_t from = 0;
    std::int64_t to = 0;
};

namespace {

void setTicks(QCategoryAxis *axis, const QList<Tick> &ticks, double from, double to)
{
    const QStringList old = axis->categoriesLabels();
    for (const QString &label : old)
        axis->remove(label);
    axis->setRange(from, to);
    axis->setStartValue(from);
    for (const Tick &tick : ticks)
        axis->append(tick.label, tick.at);
}

} // namespace

TimeChart::TimeChart(const QString &name, const QList<ChartLine> &lines, QWidget *parent)
    : QWidget(parent), parts_(std::make_unique<Parts>())
{
    setAccessibleName(name);
    parts_->lines = lines;
    auto *chart = parts_->chart = new QChart;
    chart->legend()->hide();
    chart->setBackgroundVisible(false);
    chart->setMargins(QMargins(0, 8, 8, 0));
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setAnimationOptions(QChart::NoAnimation);
    for (auto **axis : {&parts_->time, &parts_->count}) {
        *axis = new QCategoryAxis;
        (*axis)->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        (*axis)->setLabelsFont(theme::captionFont());
        (*axis)->setTruncateLabels(false);
    }
    chart->addAxis(parts_->time, Qt::AlignBottom);
    chart->addAxis(parts_->count, Qt::AlignLeft);
    for (const ChartLine &line : lines) {
        auto *series = new QLineSeries(chart);
        auto *area = line.filled ? new QAreaSeries(series) : nullptr;
        for (QAbstractSeries *each : {static_cast<QAbstractSeries *>(area), static_cast<QAbstractSeries *>(series)}) {
            if (!each)
                continue;
            chart->addSeries(each);
            each->attachAxis(parts_->time);
            each->attachAxis(parts_->count);
        }
        parts_->series.append(series);
        parts_->areas.append(area);
        parts_->points.append(QList<QPointF>());
    }
    auto *view = parts_->view = new QChartView(chart, this);
    view->setRenderHint(QPainter::Antialiasing);
    view->setFrameShape(QFrame::NoFrame);
    view->setBackgroundBrush(Qt::NoBrush);
    view->setFocusPolicy(Qt::NoFocus);
    view->viewport()->setAutoFillBackground(false);
    view->viewport()->setMouseTracking(true);
    view->viewport()->installEventFilter(this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new Legend(lines, this));
    layout->addWidget(view, 1);
    parts_->notice = new QLabel(this);
    parts_->notice->setProperty("look", QStringLiteral("secondary"));
    parts_->notice->setAlignment(Qt::AlignCenter);
    parts_->notice->setAttribute(Qt::WA_TransparentForMouseEvents);
    colour();
}

TimeChart::~TimeChart() = default;

void TimeChart::colour()
{
    const theme::Colours &c = theme::coloursOf(palette());
    for (auto *axis : {parts_->time, parts_->count}) {
        axis->setLabelsColor(c.secondary);
        axis->setGridLinePen(QPen(c.line, 1));
        axis->setLinePen(QPen(c.line, 1));
        axis->setShadesVisible(false);
    }
    parts_->time->setGridLineVisible(false);
    parts_->count->setLineVisible(false);
    for (int i = 0; i < parts_->lines.size(); ++i) {
        const ChartLine &line = parts_->lines[i];
        const QColor tone = chartColour(c, line.tone);
        QPen pen(tone, 2, line.dashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
        if (line.dashed)
            pen.setDashPattern({2.5, 2});
        parts_->series[i]->setPen(pen);
        if (parts_->areas[i]) {
            QColor soft = tone;
            soft.setAlphaF(0.16F);
            parts_->areas[i]->setBrush(soft);
            parts_->areas[i]->setPen(Qt::NoPen);
        }
    }
}

void TimeChart::setPoints(const QList<QList<QPointF>> &points)
{
    for (int i = 0; i < parts_->series.size() && i < points.size(); ++i) {
        parts_->points[i] = points[i];
        parts_->series[i]->replace(points[i]);
    }
    scale();
}

void TimeChart::setSpan(std::int64_t from, std::int64_t to)
{
    parts_->from = from;
    parts_->to = to;
    setTicks(parts_->time, timeTicks(from, to), double(from), double(to));
}

void TimeChart::setNotice(const QString &text) { parts_->notice->setText(text); }

void TimeChart::scale()
{
    double highest = 0;
    for (const QList<QPointF> &line : std::as_const(parts_->points))
        for (const QPointF &point : line)
            highest = std::max(highest, point.y());
    const QList<Tick> ticks = countTicks(highest);
    setTicks(parts_->count, ticks, 0, ticks.constLast().at);
    QStringList last;
    for (int i = 0; i < parts_->lines.size(); ++i)
        if (!parts_->points[i].isEmpty())
            last.append(QStringLiteral("%1 %2").arg(parts_->lines[i].name,
                                                    QLocale().toString(parts_->points[i].constLast().y(), 'g', 6)));
    setAccessibleDescription(last.join(QStringLiteral(", ")));
}

void TimeChart::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        colour();
    QWidget::changeEvent(event);
}

void TimeChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    parts_->notice->setGeometry(rect());
}

bool TimeChart::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseMove)
        point(static_cast<QMouseEvent *>(event)->position());
    else if (event->type() == QEvent::Leave)
        QToolTip::hideText();
    return QWidget::eventFilter(watched, event);
}

void TimeChart::point(const QPointF &at)
{
    const double x = parts_->chart->mapToValue(parts_->view->mapToScene(at.toPoint())).x();
    const auto nearest = [&](const QList<QPointF> &line) {
        return std::min_element(line.cbegin(), line.cend(), [&](const QPointF &a, const QPointF &b) {
            return std::abs(a.x() - x) < std::abs(b.x() - x);
        });
    };
    QString text;
    for (int i = 0; i < parts_->lines.size(); ++i) {
        const QList<QPointF> &line = parts_->points[i];
        const auto found = nearest(line);
        if (found == line.cend())
            continue;
        if (text.isEmpty())
            text = QLocale().toString(QDateTime::fromMSecsSinceEpoch(std::llround(found->x())),
                                      QStringLiteral("HH:mm:ss"));
        text += QStringLiteral("\n%1  %2").arg(parts_->lines[i].name, QLocale().toString(found->y(), 'g', 6));
    }
    if (!text.isEmpty())
        QToolTip::showText(parts_->view->viewport()->mapToGlobal(at.toPoint()), text, parts_->view);
}

} // namespace outbox::ui
