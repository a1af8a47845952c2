// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline.h"

#include "charts/scale.h"
#include "text/words.h"
#include "theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace outbox::ui {

namespace {

constexpr int nameWidth = 92;
constexpr int rowHeight = 32;
constexpr int barHeight = 16;
constexpr int axisHeight = 24;
constexpr int captionHeight = 24;
constexpr double leastBar = 3;

QString axisTime(Timestamp at, milliseconds span)
{
    const QString moment = text::moment(at); // yyyy-MM-dd HH:mm:ss.zzz
    if (span < seconds{10})
        return moment.mid(11, 12);
    return span < std::chrono::hours{20} ? moment.mid(11, 8) : moment.mid(5, 11);
}

} // namespace

Timeline::Timeline(QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Timeline"));
}

void Timeline::show(const api::RecordDetail &record)
{
    items_ = timelineOf(record);
    if (!(id_ == record.message.id))
        chosen_ = -1;
    id_ = record.message.id;
    chosen_ = std::min(chosen_, int(items_.size()) - 1);
    rows_.clear();
    for (const StateKind state :
         {StateKind::pending, StateKind::processing, StateKind::dispatched, StateKind::dead_letter})
        if (std::any_of(items_.cbegin(), items_.cend(), [&](const auto &item) { return item.state == state; }))
            rows_.append(state);
    now_ = record.readAt;
    from_ = record.stagedAt;
    to_ = from_;
    for (const TimelineItem &item : std::as_const(items_))
        to_ = std::max(to_, item.to);
    // How long ago it ended would squeeze what happened into nothing: the axis ends a little after the end.
    if (const auto *dead = std::get_if<DeadLetter>(&record.state)) {
        const auto lived = std::max<std::chrono::microseconds>(dead->failedAt - from_, milliseconds{20});
        to_ = std::min(to_, dead->failedAt + lived / 4);
    }
    if (to_ - from_ < milliseconds{10})
        to_ = from_ + milliseconds{10};
    QString all;
    for (const TimelineItem &item : std::as_const(items_))
        all += item.words + QStringLiteral(". ");
    setAccessibleDescription(all);
    updateGeometry();
    update();
}

QString Timeline::chosen() const { return chosen_ >= 0 && chosen_ < items_.size() ? items_[chosen_].words : QString(); }

QSize Timeline::sizeHint() const
{
    return {480, axisHeight + int(std::max<qsizetype>(rows_.size(), 1)) * rowHeight + captionHeight};
}

QSize Timeline::minimumSizeHint() const { return {280, sizeHint().height()}; }

double Timeline::x(Timestamp at) const
{
    const double part = std::chrono::duration<double>(at - from_) / std::chrono::duration<double>(to_ - from_);
    return nameWidth + std::clamp(part, 0.0, 1.0) * (width() - nameWidth - 12);
}

int Timeline::rowOf(const TimelineItem &item) const { return std::max(0, int(rows_.indexOf(item.state))); }

QRectF Timeline::place(const TimelineItem &item) const
{
    const double top = axisHeight + rowOf(item) * rowHeight + (rowHeight - barHeight) / 2.0;
    if (item.kind == TimelineItem::Kind::span || item.kind == TimelineItem::Kind::expected) {
        const double left = x(item.from);
        return {left, top, std::max(leastBar, x(item.to) - left), barHeight};
    }
    return {x(item.to) - 8, top - 2, 16, barHeight + 4};
}

void Timeline::paintAxis(QPainter &painter) const
{
    const theme::Colours &c = theme::coloursOf(palette());
    painter.setFont(theme::captionFont());
    const auto span = std::chrono::duration_cast<milliseconds>(to_ - from_);
    const QFontMetrics metrics = painter.fontMetrics();
    const int places = std::clamp((width() - nameWidth) / 130, 1, 4);
    for (int i = 0; i <= places; ++i) {
        const Timestamp at = from_ + (to_ - from_) * i / places;
        const double left = x(at);
        painter.setPen(c.line);
        painter.drawLine(QPointF(left, axisHeight - 2), QPointF(left, axisHeight + double(rows_.size()) * rowHeight));
        const QString label = axisTime(at, span);
        const int wide = metrics.horizontalAdvance(label);
        const double begin = std::clamp(left - wide / 2.0, double(nameWidth) - 8, double(width() - wide));
        painter.setPen(c.secondary);
        painter.drawText(QRectF(begin, 0, wide + 2, axisHeight - 6), Qt::AlignLeft | Qt::AlignVCenter, label);
    }
    painter.setPen(c.ink);
    for (int i = 0; i < rows_.size(); ++i)
        painter.drawText(QRectF(0, axisHeight + i * rowHeight, nameWidth - 8, rowHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, text::stateText(rows_[i]));
}

void Timeline::paintItem(QPainter &painter, const TimelineItem &item) const
{
    const theme::Colours &c = theme::coloursOf(palette());
    const QRectF box = place(item);
    const QColor colour = theme::stateColour(c, item.state);
    switch (item.kind) {
    case TimelineItem::Kind::span:
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(box, std::min(3.0, box.width() / 2), 3);
        break;
    case TimelineItem::Kind::expected: {
        painter.setPen(QPen(colour, 1, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        if (painter.fontMetrics().horizontalAdvance(item.note) + 8 < box.width())
            painter.drawText(box, Qt::AlignCenter, item.note);
        break;
    }
    case TimelineItem::Kind::failure:
        painter.setPen(QPen(c.deadLetter, 3, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(box.center().x(), box.top() - 3), QPointF(box.center().x(), box.bottom() + 3));
        break;
    case TimelineItem::Kind::accepted:
    case TimelineItem::Kind::replay: {
        painter.setPen(Qt::NoPen);
        painter.setBrush(item.kind == TimelineItem::Kind::accepted ? colour : c.pending);
        const QRectF dot(box.center().x() - 8, box.center().y() - 8, 16, 16);
        painter.drawEllipse(dot);
        painter.setPen(c.card);
        painter.drawText(dot, Qt::AlignCenter,
                         item.kind == TimelineItem::Kind::accepted ? QStringLiteral("✓") : QStringLiteral("↺"));
        break;
    }
    }
}

void Timeline::paintEvent(QPaintEvent *)
{
    const theme::Colours &c = theme::coloursOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxis(painter);
    for (const TimelineItem &item : std::as_const(items_))
        paintItem(painter, item);
    const double bottom = axisHeight + double(rows_.size()) * rowHeight;
    if (now_ < to_) {
        painter.setPen(QPen(c.secondary, 1));
        painter.drawLine(QPointF(x(now_), axisHeight - 4), QPointF(x(now_), bottom + 4));
    }
    if (chosen_ >= 0) {
        painter.setPen(QPen(c.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(place(items_[chosen_]).adjusted(-3, -3, 3, 3), 5, 5);
    }
    painter.setPen(c.secondary);
    const QRectF line(0, bottom, width(), captionHeight);
    const QString words = chosen_ >= 0 ? chosen() : tr("Arrow keys or the pointer tell each time and cause.");
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(words, Qt::ElideRight, int(line.width())));
    if (hasFocus() && chosen_ < 0) {
        painter.setPen(QPen(c.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void Timeline::choose(int item)
{
    chosen_ = item;
    update();
}

void Timeline::keyPressEvent(QKeyEvent *event)
{
    const int last = int(items_.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Right: return choose(std::min(chosen_ + 1, last));
    case Qt::Key_Left: return choose(std::max(chosen_ - 1, std::min(0, last)));
    case Qt::Key_Home: return choose(std::min(0, last));
    case Qt::Key_End: return choose(last);
    default: QWidget::keyPressEvent(event);
    }
}

bool Timeline::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        // Marks are drawn last and lie on top.
        const auto found = std::find_if(items_.crbegin(), items_.crend(), [&](const TimelineItem &item) {
            return place(item).adjusted(-2, -2, 2, 2).contains(help->pos());
        });
        if (found == items_.crend())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), found->words, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace outbox::ui
