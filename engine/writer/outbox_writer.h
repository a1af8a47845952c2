// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "domain/message.h"
#include "writer/transaction.h"

#include <QSqlDatabase>

#include <optional>
#include <vector>

namespace outbox::writer {

/// A message to be staged.
struct NewMessage {
    MessageKind kind;
    MessageType type;
    SchemaVersion version{1};
    QByteArray payload;                  ///< one JSON value, UTF-8; kept byte for byte
    std::optional<Timestamp> occurredAt; ///< nothing: now, by the database's clock
    QString tenant;                      ///< empty: none
    QList<Header> headers;               ///< travel with the message
    std::optional<MessageId> id;         ///< nothing: a UUIDv7 made by the database
    std::optional<Timestamp> notBefore;  ///< first attempt not before then
    QString orderingKey; ///< empty: none; those of one key are delivered strictly in the order of their commits
};

/// Stages messages in the caller's own transaction, on the caller's own connection (S3): they exist if, and only
/// if, that transaction commits. Never opens a connection, never begins, commits or rolls back.
///
/// Thread: that of the connection. Cheap to make; holds nothing but the handle.
class OutboxWriter {
public:
    explicit OutboxWriter(QSqlDatabase connection) : connection_(std::move(connection)) {}

    Result<MessageId, StageError> stage(const NewMessage &message);
    /// All in one statement, in their order; ids in the same order. Refuses all of them when it refuses one.
    Result<std::vector<MessageId>, StageError> stageMany(const std::vector<NewMessage> &messages);

private:
    QSqlDatabase connection_;
};

} // namespace outbox::writer
