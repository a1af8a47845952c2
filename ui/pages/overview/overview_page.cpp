// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/overview/overview_page.h"

#include "charts/time_chart.h"
#include "text/words.h"
#include "theme/theme.h"
#include "widgets/card.h"
#include "widgets/gauge.h"

#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace outbox::ui {

namespace {

double epoch(Timestamp at) { return double(std::chrono::floor<milliseconds>(at).time_since_epoch().count()); }

/// So wide that some ninety points cover the span, in the store's own steps of ten seconds.
seconds widthFor(seconds span) { return std::max(seconds{10}, seconds{(span.count() / 90 + 9) / 10 * 10}); }

} // namespace

OverviewPage::OverviewPage(PageContext context, QWidget *parent) : Page(parent), context_(context)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::padding, theme::padding, theme::padding, theme::padding);
    layout->setSpacing(theme::gap);
    layout->addWidget(makeGauges());
    layout->addWidget(makeCharts(), 1);
    layout->addWidget(makeFoot());
    connect(&context_.feed, &Feed::overviewChanged, this, &OverviewPage::showOverview);
    connect(&context_.port, &api::ConsolePort::dispatcherStatusChanged, this,
            [this](const api::DispatcherStatus &status) {
                dispatcher_ = status;
                showNeeds();
            });
    dispatcher_ = context_.port.dispatcherStatus();
    setSpan(seconds{900});
    showOverview();
}

QWidget *OverviewPage::makeGauges()
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::gap);
    pending_ = new Gauge(tr("Pending"), Gauge::Tone::pending, row);
    failed_ = new Gauge(tr("Failed"), Gauge::Tone::bad, row);
    oldest_ = new Gauge(tr("Oldest pending"), Gauge::Tone::good, row);
    for (Gauge *gauge : {pending_, failed_, oldest_})
        layout->addWidget(gauge, 1);
    return row;
}

QWidget *OverviewPage::makeCharts()
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::gap);

    auto *backlog = new Card(tr("Backlog"), row);
    spans_ = new QButtonGroup(this);
    const std::pair<seconds, QString> choices[] = {{seconds{900}, tr("15 min")},
                                                   {seconds{3600}, tr("1 h")},
                                                   {seconds{24 * 3600}, tr("24 h")},
                                                   {seconds{7 * 24 * 3600}, tr("7 d")}};
    for (const auto &[span, name] : choices) {
        auto *button = new QPushButton(name, backlog);
        button->setProperty("look", QStringLiteral("span"));
        button->setCheckable(true);
        button->setAccessibleName(tr("Charts show the last %1").arg(name));
        button->setChecked(span == span_);
        spans_->addButton(button, int(span.count()));
        backlog->head()->addWidget(button);
    }
    connect(spans_, &QButtonGroup::idClicked, this, [this](int span) { setSpan(seconds{span}); });
    backlogCaption_ = makeCaption({}, backlog);
    backlogChart_ = new TimeChart(
        tr("Backlog over time"),
        {{tr("pending"), ChartTone::pending, true, false}, {tr("failed"), ChartTone::bad, false, true}}, backlog);
    backlog->body()->addWidget(backlogChart_, 1);
    backlog->body()->addWidget(backlogCaption_);

    auto *throughput = new Card(tr("Dispatched a second"), row);
    throughputCaption_ = makeCaption({}, throughput);
    throughputChart_ = new TimeChart(
        tr("Dispatched a second over time"),
        {{tr("dispatched"), ChartTone::good, false, false}, {tr("failed attempts"), ChartTone::bad, false, true}},
        throughput);
    throughput->body()->addWidget(throughputChart_, 1);
    throughput->body()->addWidget(throughputCaption_);
    layout->addWidget(backlog, 1);
    layout->addWidget(throughput, 1);
    return row;
}

QWidget *OverviewPage::makeFoot()
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::gap);

    auto *totals = new Card(tr("Since the store was made"), row);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::padding);
    grid->setVerticalSpacing(2);
    const std::pair<QLabel **, QString> figures[] = {{&dispatched_, tr("dispatched")},
                                                     {&retried_, tr("attempts tried again")},
                                                     {&dead_, tr("given up")},
                                                     {&processing_, tr("processing now")}};
    int column = 0;
    for (const auto &[label, name] : figures) {
        *label = new QLabel(QStringLiteral("–"), totals);
        (*label)->setFont(theme::titleFont());
        grid->addWidget(*label, 0, column);
        grid->addWidget(makeCaption(name, totals), 1, column);
        grid->setColumnStretch(column, 1);
        ++column;
    }
    totals->body()->addLayout(grid);
    totals->body()->addStretch();
    cost_ = makeCaption({}, totals);
    totals->body()->addWidget(cost_);

    auto *needs = new Card(tr("Needs you"), row);
    needs_ = new QVBoxLayout;
    needs_->setSpacing(theme::gap);
    needs->body()->addLayout(needs_);
    needs->body()->addStretch();
    layout->addWidget(totals, 1);
    layout->addWidget(needs, 1);
    row->setMinimumHeight(168);
    return row;
}

void OverviewPage::refresh()
{
    if (groupsQuestion_.isDue())
        groupsQuestion_.ask(
            this, [this](auto reply) { context_.port.deadLetterGroups(std::move(reply)); },
            [this](api::Answer<QList<api::DeadLetterGroup>> answer) {
                if (answer.ok())
                    groups_ = std::move(answer).value();
                showNeeds();
            });
    if (throughputQuestion_.isDue())
        askThroughput();
}

void OverviewPage::askThroughput()
{
    throughputQuestion_.ask(
        this, [this](auto reply) { context_.port.throughput(span_, widthFor(span_), std::move(reply)); },
        [this](api::Answer<QList<api::ThroughputPoint>> answer) {
            if (answer.ok())
                throughput_ = {std::move(answer).value(), QDateTime::currentDateTime(), std::nullopt};
            else
                throughput_.error = answer.error();
            showThroughput();
        });
}

void OverviewPage::setSpan(seconds span)
{
    span_ = span;
    throughput_ = {};
    throughputChart_->setPoints({{}, {}});
    showBacklog();
    showThroughput();
    if (isVisible())
        askThroughput();
}

void OverviewPage::showOverview()
{
    const auto &kept = context_.feed.overview();
    if (!kept.value) {
        const QString words = kept.error ? tr("no answer yet from the store") : tr("asking the store");
        for (Gauge *gauge : {pending_, failed_, oldest_})
            gauge->clear(words);
        showBacklog();
        showNeeds();
        return;
    }
    const api::Overview &now = *kept.value;
    highestPending_ = std::max(highestPending_, now.pending.value);
    highestDead_ = std::max(highestDead_, now.deadLetters.value);
    highestAge_ = std::max(highestAge_, now.oldestPendingAge.value_or(milliseconds{0}));

    const auto growth = context_.feed.growth();
    const QString going = !growth                   ? QString()
                          : std::abs(*growth) < 0.5 ? tr("steady · ")
                          : *growth > 0             ? tr("growing by %1 a second · ").arg(text::rate(*growth))
                                                    : tr("falling by %1 a second · ").arg(text::rate(-*growth));
    pending_->show(double(now.pending.value), double(highestPending_), text::number(now.pending),
                   going + tr("highest %1").arg(text::number(highestPending_)));
    failed_->show(double(now.deadLetters.value), double(highestDead_), text::number(now.deadLetters),
                  now.deadLetters.value == 0 ? tr("no dead letters") : tr("dead letters, given up until replayed"),
                  now.deadLetters.value > 0);
    if (now.oldestPendingAge)
        oldest_->show(double(now.oldestPendingAge->count()), double(highestAge_.count()),
                      text::duration(*now.oldestPendingAge),
                      tr("%1 · highest %2").arg(now.oldestPendingType, text::duration(highestAge_)));
    else
        oldest_->show(0, double(highestAge_.count()), QStringLiteral("–"), tr("nothing waits"));
    processing_->setText(text::number(now.processing));
    dispatched_->setText(text::number(now.dispatchedTotal));
    retried_->setText(text::number(now.retriedTotal));
    dead_->setText(text::number(now.deadTotal));
    cost_->setText(tr("These numbers cost the store %1.").arg(text::duration(now.queryTime)));
    showBacklog();
    showNeeds();
}

void OverviewPage::showBacklog()
{
    const auto &samples = context_.feed.backlog();
    const Timestamp to = context_.feed.databaseNow();
    const Timestamp from = to - span_;
    backlogChart_->setSpan(std::int64_t(epoch(from)), std::int64_t(epoch(to)));
    QList<QPointF> pending;
    QList<QPointF> failed;
    const qsizetype stride = std::max<qsizetype>(1, samples.size() / 600);
    for (qsizetype i = samples.size() % stride; i < samples.size(); i += stride) {
        if (samples[i].at < from)
            continue;
        pending.append({epoch(samples[i].at), double(samples[i].pending)});
        failed.append({epoch(samples[i].at), double(samples[i].deadLetters)});
    }
    backlogChart_->setNotice(pending.size() < 2 ? tr("The line begins with the second answer.") : QString());
    backlogChart_->setPoints({pending, failed});
    backlogCaption_->setText(samples.isEmpty()
                                 ? tr("seen from this window")
                                 : tr("seen from this window since %1").arg(text::clock(samples.constFirst().at)));
}

void OverviewPage::showThroughput()
{
    const Timestamp to = context_.feed.databaseNow();
    throughputChart_->setSpan(std::int64_t(epoch(to - span_)), std::int64_t(epoch(to)));
    if (!throughput_.value) {
        throughputChart_->setNotice(throughput_.error ? throughput_.error->text : tr("asking the store"));
        throughputCaption_->setText(QString());
        return;
    }
    std::int64_t accepted = 0;
    std::int64_t failed = 0;
    QList<QPointF> dispatched;
    QList<QPointF> failures;
    for (const api::ThroughputPoint &point : *throughput_.value) {
        accepted += point.dispatched;
        failed += point.retried + point.dead;
        const double width = std::chrono::duration<double>(point.width).count();
        // A bucket that is still being filled would show a fall that is none.
        if (width <= 0 || point.at + point.width > to)
            continue;
        const double middle = epoch(point.at + point.width / 2);
        dispatched.append({middle, double(point.dispatched) / width});
        failures.append({middle, double(point.retried + point.dead) / width});
    }
    throughputChart_->setNotice({});
    throughputChart_->setPoints({dispatched, failures});
    const auto tried = accepted + failed;
    throughputCaption_->setText(
        tried == 0 ? tr("nothing was dispatched in this time")
                   : tr("success %1 % of %2 attempts")
                         .arg(QLocale().toString(100.0 * double(accepted) / double(tried), 'f', failed == 0 ? 0 : 1),
                              text::number(tried)));
}

} // namespace outbox::ui
