// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "base/result.h"

#include <QObject>
#include <QPointer>

#include <functional>

namespace outbox::api {

template <typename T>
using Answer = Result<T, OperationError>;

/// Gets the answer in the GUI thread, unless `receiver` is gone by then: then it is dropped.
template <typename T>
struct Reply {
    QPointer<QObject> receiver;
    /// `cost`: how long the store worked on it. Waiting for its turn, or for a store that is only starting, is no cost.
    std::function<void(Answer<T>, milliseconds cost)> call;
};

/// All that the window may ask of the engine (D1). Every call returns at once; the work is done in the
/// engine's own threads, with a statement timeout, and the answer arrives later through the event loop
/// of the GUI thread. One store, one port. Called and destroyed in the GUI thread.
class ConsolePort : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual void overview(Reply<Overview> reply) = 0;
    /// Points of the given width that cover the last `span`, oldest first, gaps filled with zeros.
    virtual void throughput(seconds span, seconds width, Reply<QList<ThroughputPoint>> reply) = 0;
    /// At most `limit` (1 to 500) records older than the cursor.
    virtual void records(RecordFilter filter, std::optional<RecordCursor> cursor, int limit,
                         Reply<RecordPage> reply) = 0;
    virtual void record(MessageId id, Reply<RecordDetail> reply) = 0;
    /// Groups, largest first; counts beyond 100,000 dead letters are of the newest 100,000.
    virtual void deadLetterGroups(Reply<QList<DeadLetterGroup>> reply) = 0;
    /// Dead letters only, newest id first, of one group or of all.
    virtual void deadLetters(std::optional<DeadLetterGroup> group, std::optional<RecordCursor> cursor, int limit,
                             Reply<RecordPage> reply) = 0;
    /// Puts dead letters back to pending, audited, each checked again in its own right. The reason is
    /// required (S23). At most 1,000 ids.
    virtual void replay(QList<MessageId> ids, QString reason, Reply<ReplayResult> reply) = 0;
    /// Names of all message types ever staged, sorted: for filters.
    virtual void messageTypes(Reply<QStringList> reply) = 0;

    /// Switches this computer's dispatcher. Off is graceful: what is in flight ends first.
    virtual void setDispatching(bool on) = 0;

    /// The last known values; signals tell of changes, at most four a second.
    [[nodiscard]] virtual StoreStatus storeStatus() const = 0;
    [[nodiscard]] virtual DispatcherStatus dispatcherStatus() const = 0;

Q_SIGNALS:
    void storeStatusChanged(const outbox::api::StoreStatus &status);
    void dispatcherStatusChanged(const outbox::api::DispatcherStatus &status);
    /// The newest line of the engine's log, for the status bar.
    void logLine(const QString &text);
};

} // namespace outbox::api
