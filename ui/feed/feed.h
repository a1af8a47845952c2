// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "feed/question.h"

#include <QDateTime>
#include <QTimer>

namespace outbox::ui {

/// What was answered last, kept when a later refresh fails: then `error` says why it is old.
template <typename T>
struct Kept {
    std::optional<T> value;
    QDateTime receivedAt; ///< of `value`
    std::optional<api::OperationError> error;
};

/// The backlog as it was at one answer.
struct BacklogSample {
    Timestamp at;
    std::int64_t pending = 0;
    std::int64_t deadLetters = 0;
};

/// The heartbeat of the window: asks for the overview on a timer and tells the pages when to ask their own.
/// One question of a kind is under way at a time; a slow store is not asked faster than it answers. (D1)
class Feed final : public QObject {
    Q_OBJECT
public:
    /// The port outlives the feed.
    explicit Feed(api::ConsolePort &port, QObject *parent = nullptr);

    [[nodiscard]] milliseconds interval() const { return interval_; }
    void setInterval(milliseconds interval);
    [[nodiscard]] bool isPaused() const { return paused_; }
    void setPaused(bool paused);
    /// False while nobody can see the window: it asks every 30 s only.
    void setWatched(bool watched);
    /// Now, paused or not.
    void refresh();

    [[nodiscard]] const Kept<api::Overview> &overview() const { return overview_; }
    /// Oldest first, of the last day at most, as long as this window has been open.
    [[nodiscard]] const QList<BacklogSample> &backlog() const { return backlog_; }
    /// By how much the backlog grows a second, over the last ten seconds or so. Nothing when not known.
    [[nodiscard]] std::optional<double> growth() const;
    /// What the database's clock shows now, as far as this machine can tell.
    [[nodiscard]] Timestamp databaseNow() const;

Q_SIGNALS:
    /// Time for the visible page to ask again.
    void ticked();
    void overviewChanged();
    void pausedChanged(bool paused);

private:
    void tick();
    void restart();
    void askOverview();
    void take(api::Answer<api::Overview> answer);

    api::ConsolePort &port_;
    QTimer timer_;
    milliseconds interval_{1000};
    bool paused_ = false;
    bool watched_ = true;
    Question<api::Overview> question_;
    Kept<api::Overview> overview_;
    QElapsedTimer sinceOverview_;
    QList<BacklogSample> backlog_;
};

} // namespace outbox::ui
