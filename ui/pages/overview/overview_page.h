// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"

class QButtonGroup;
class QLabel;
class QVBoxLayout;

namespace outbox::ui {

class Card;
class Gauge;
class TimeChart;

/// Does it flow? Three gauges, how the backlog went, how much was dispatched, and what needs a person. (D2)
class OverviewPage final : public Page {
    Q_OBJECT
public:
    explicit OverviewPage(PageContext context, QWidget *parent = nullptr);

    void refresh() override;

private:
    QWidget *makeGauges();
    QWidget *makeCharts();
    QWidget *makeFoot();
    void showOverview();
    void showBacklog();
    void showThroughput();
    void showNeeds();
    void setSpan(seconds span);
    void addNeed(const QString &mark, const QString &title, const QString &text, const QString &action,
                 void (OverviewPage::*wanted)());
    void askThroughput();

    PageContext context_;
    seconds span_{900};
    Question<QList<api::ThroughputPoint>> throughputQuestion_;
    Question<QList<api::DeadLetterGroup>> groupsQuestion_;
    Kept<QList<api::ThroughputPoint>> throughput_;
    QList<api::DeadLetterGroup> groups_;
    api::DispatcherStatus dispatcher_;
    std::int64_t highestPending_ = 0;
    std::int64_t highestDead_ = 0;
    milliseconds highestAge_{0};

    Gauge *pending_ = nullptr;
    Gauge *failed_ = nullptr;
    Gauge *oldest_ = nullptr;
    TimeChart *backlogChart_ = nullptr;
    TimeChart *throughputChart_ = nullptr;
    QLabel *backlogCaption_ = nullptr;
    QLabel *throughputCaption_ = nullptr;
    QButtonGroup *spans_ = nullptr;
    QLabel *processing_ = nullptr;
    QLabel *dispatched_ = nullptr;
    QLabel *retried_ = nullptr;
    QLabel *dead_ = nullptr;
    QLabel *cost_ = nullptr;
    QVBoxLayout *needs_ = nullptr;
    QString needsShown_;
};

} // namespace outbox::ui
