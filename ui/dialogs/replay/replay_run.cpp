// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/replay/replay_run.h"

#include "text/words.h"

namespace outbox::ui {

ReplayRun::ReplayRun(api::ConsolePort &port, QObject *parent) : QObject(parent), port_(port) {}

void ReplayRun::freeze(const ReplayChoice &choice)
{
    choice_ = choice;
    records_ = choice.chosen;
    cursor_.reset();
    if (!records_.isEmpty()) {
        Q_EMIT frozen();
        return;
    }
    collect();
}

void ReplayRun::collect()
{
    pages_.ask(
        this,
        [this](api::Reply<api::RecordPage> reply) { port_.deadLetters(choice_.group, cursor_, 500, std::move(reply)); },
        [this](api::Answer<api::RecordPage> answer) {
            if (!answer.ok()) {
                Q_EMIT failed(answer.error().text);
                return;
            }
            records_ += answer->rows;
            cursor_ = answer->next;
            if (records_.size() > mostRecords) {
                Q_EMIT failed(tr("These are more than %1 records. Choose one group.").arg(text::number(mostRecords)));
                return;
            }
            if (cursor_) {
                Q_EMIT collecting(records_.size());
                collect();
            } else {
                Q_EMIT frozen();
            }
        });
}

void ReplayRun::start(const QString &reason)
{
    reason_ = reason;
    running_ = true;
    stopWanted_ = false;
    next();
}

void ReplayRun::next()
{
    if (stopWanted_ || done_ >= records_.size()) {
        running_ = false;
        Q_EMIT finished();
        return;
    }
    QList<MessageId> ids;
    for (qsizetype i = done_; i < std::min(done_ + partSize, records_.size()); ++i)
        ids.append(records_[i].id);
    parts_.ask(
        this, [&](api::Reply<api::ReplayResult> reply) { port_.replay(ids, reason_, std::move(reply)); },
        [this, count = ids.size()](api::Answer<api::ReplayResult> answer) {
            if (!answer.ok()) {
                running_ = false;
                Q_EMIT failed(answer.error().text);
                return;
            }
            done_ += count;
            actor_ = answer->actor;
            Q_EMIT progressed(answer->verdicts);
            next();
        });
}

} // namespace outbox::ui
