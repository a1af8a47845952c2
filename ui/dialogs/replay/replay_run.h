// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "feed/question.h"

namespace outbox::ui {

/// What is to be replayed: records chosen one by one, or all that match a group (or nothing: all there are).
struct ReplayChoice {
    QList<api::RecordRow> chosen; ///< empty: all that match
    std::optional<api::DeadLetterGroup> group;
};

/// Freezes the list of a choice, then replays it part by part. Dead letters that arrive meanwhile never join.
class ReplayRun final : public QObject {
    Q_OBJECT
public:
    /// So many records are replayed in one go, and one transaction.
    static constexpr int partSize = 200;
    /// Longer lists are refused: choose a group.
    static constexpr int mostRecords = 100'000;

    ReplayRun(api::ConsolePort &port, QObject *parent = nullptr);

    /// Makes the list; `frozen` follows, or `failed`.
    void freeze(const ReplayChoice &choice);
    [[nodiscard]] const QList<api::RecordRow> &records() const { return records_; }

    /// Runs through the frozen list; `progressed` for each part, `finished` at the end.
    void start(const QString &reason);
    /// No further part begins.
    void stop() { stopWanted_ = true; }
    [[nodiscard]] bool isRunning() const { return running_; }
    /// So many of the list have had their verdict.
    [[nodiscard]] qsizetype done() const { return done_; }
    /// As the store kept it; empty before the first answer.
    [[nodiscard]] QString actor() const { return actor_; }

Q_SIGNALS:
    void collecting(qsizetype records);
    void frozen();
    void progressed(const QList<outbox::api::ReplayVerdict> &verdicts);
    void finished();
    /// It ended here; records without verdict are as they were, as far as this window knows.
    void failed(const QString &text);

private:
    void collect();
    void next();

    api::ConsolePort &port_;
    Question<api::RecordPage> pages_;
    Question<api::ReplayResult> parts_;
    ReplayChoice choice_;
    QList<api::RecordRow> records_;
    std::optional<api::RecordCursor> cursor_;
    QString reason_;
    QString actor_;
    qsizetype done_ = 0;
    bool running_ = false;
    bool stopWanted_ = false;
};

} // namespace outbox::ui
