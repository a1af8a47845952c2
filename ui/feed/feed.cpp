// SPDX-License-Identifier: GPL-3.0-or-later
#include "feed/feed.h"

#include <algorithm>

namespace outbox::ui {

namespace {

constexpr seconds unwatchedInterval{30};
constexpr qsizetype mostSamples = 7200;

} // namespace

Feed::Feed(api::ConsolePort &port, QObject *parent) : QObject(parent), port_(port)
{
    connect(&timer_, &QTimer::timeout, this, &Feed::tick);
    restart();
}

void Feed::setInterval(milliseconds interval)
{
    interval_ = interval;
    restart();
}

void Feed::setPaused(bool paused)
{
    if (paused_ == paused)
        return;
    paused_ = paused;
    restart();
    Q_EMIT pausedChanged(paused);
    if (!paused_)
        refresh();
}

void Feed::setWatched(bool watched)
{
    if (watched_ == watched)
        return;
    watched_ = watched;
    restart();
    if (watched_ && !paused_)
        refresh();
}

void Feed::restart()
{
    timer_.stop();
    if (!paused_)
        timer_.start(watched_ ? interval_ : std::max<milliseconds>(interval_, unwatchedInterval));
}

void Feed::refresh()
{
    askOverview();
    Q_EMIT ticked();
}

void Feed::tick()
{
    if (question_.isDue())
        askOverview();
    if (watched_)
        Q_EMIT ticked();
}

void Feed::askOverview()
{
    question_.ask(
        this, [this](api::Reply<api::Overview> reply) { port_.overview(std::move(reply)); },
        [this](api::Answer<api::Overview> answer) { take(std::move(answer)); });
}

void Feed::take(api::Answer<api::Overview> answer)
{
    if (!answer.ok()) {
        overview_.error = answer.error();
        Q_EMIT overviewChanged();
        return;
    }
    overview_.value = std::move(answer).value();
    overview_.receivedAt = QDateTime::currentDateTime();
    overview_.error.reset();
    sinceOverview_.start();
    const api::Overview &now = *overview_.value;
    // The database's clock may be set back: points after that would make the chart run backwards.
    while (!backlog_.isEmpty() && backlog_.constLast().at >= now.at)
        backlog_.removeLast();
    backlog_.append({now.at, now.pending.value, now.deadLetters.value});
    if (backlog_.size() > mostSamples) {
        // Thin out the older half instead of forgetting how the day began.
        QList<BacklogSample> thinned;
        const qsizetype half = backlog_.size() / 2;
        for (qsizetype i = 0; i < backlog_.size(); i += i < half ? 2 : 1)
            thinned.append(backlog_[i]);
        backlog_ = std::move(thinned);
    }
    while (backlog_.constFirst().at < now.at - std::chrono::hours(24))
        backlog_.removeFirst();
    Q_EMIT overviewChanged();
}

std::optional<double> Feed::growth() const
{
    if (backlog_.size() < 2 || (overview_.value && !overview_.value->pending.exact))
        return std::nullopt;
    const BacklogSample &last = backlog_.constLast();
    const auto first = std::find_if(backlog_.cbegin(), backlog_.cend(),
                                    [&](const BacklogSample &s) { return s.at >= last.at - seconds(10); });
    const double span = std::chrono::duration<double>(last.at - first->at).count();
    if (span < 1.0)
        return std::nullopt;
    return double(last.pending - first->pending) / span;
}

Timestamp Feed::databaseNow() const
{
    if (!overview_.value)
        return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    return overview_.value->at + milliseconds(sinceOverview_.elapsed());
}

} // namespace outbox::ui
