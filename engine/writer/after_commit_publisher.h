// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "writer/outbox_writer.h"
#include "writer/transaction.h"

#include <QByteArray>
#include <QSqlDatabase>

#include <functional>
#include <vector>

namespace outbox::writer {

/// What became of the messages that were remembered.
struct AfterCommit {
    int published = 0; ///< handed to the publish function now
    int dropped = 0;   ///< their transaction was rolled back
    int waiting = 0;   ///< their transaction still goes on
};

/// Publishes after the commit, without a record (S2): for a best-effort reaction that operators can repeat by hand and
/// that the outbox excludes. Inside the caller's own open transaction remember() keeps the message in memory together
/// with the transaction's number; after the caller's commit publishCommitted() asks PostgreSQL what became of that
/// transaction, and hands over the messages of a committed one, in their order. A rolled-back transaction publishes
/// nothing, however it ended; neither does a publisher that is destroyed first: the commit is the only guarantee.
/// Undoing to a savepoint does not take a message back; remember it after the savepoint is released.
///
/// Never begins, commits or rolls back, and writes no row. Thread: that of the connection.
class AfterCommitPublisher {
public:
    /// Sends one message by the application's own means; what it cannot send is lost. It must not throw.
    using Publish = std::function<void(const NewMessage &)>;

    AfterCommitPublisher(QSqlDatabase connection, Publish publish)
        : connection_(std::move(connection)), publish_(std::move(publish))
    {
    }

    /// Fails as OutboxWriter does: NoTransaction, NotUsable, or the store's error.
    Result<Done, StageError> remember(const NewMessage &message);
    /// Call it after the commit. On an error everything stays remembered, and it may be called again, on the same
    /// connection opened anew as well: a commit whose answer was lost is settled that way.
    Result<AfterCommit, StageError> publishCommitted();

private:
    struct Remembered {
        QString transaction;
        NewMessage message;
    };
    enum class Ending { committed, rolled_back, open };
    Result<Ending, StageError> endingOf(const QString &transaction) const;

    QSqlDatabase connection_;
    Publish publish_;
    std::vector<Remembered> remembered_;
};

} // namespace outbox::writer
