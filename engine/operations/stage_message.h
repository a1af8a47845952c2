// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ids.h"
#include "store/connection.h"

#include <QByteArray>

#include <optional>

namespace outbox::operations {

/// A message to be staged by hand. What the store finds wrong in it is Refused with its own SQLSTATE and a hint.
struct StageRequest {
    QString kind;
    QString type;
    int version = 1;
    QByteArray payload;                 ///< JSON in UTF-8, kept byte for byte
    std::optional<QString> eventRecord; ///< for an integration event only
    std::optional<QString> occurredAt;  ///< as PostgreSQL reads times; now by default
    std::optional<QString> tenant;
    std::optional<QByteArray> headers; ///< a JSON object of texts
    std::optional<MessageId> id;       ///< made by the store by default
    std::optional<QString> notBefore;
    std::optional<QString> orderingKey; ///< 1 to 500 characters; nothing: none
};

/// Stages it in the connection's transaction, or in one of its own when none is open. A payload that is no UTF-8 is
/// Refused as the store refuses what is no JSON (OB004). Blocks; the connection's thread.
Result<MessageId, store::StoreError> stageMessage(store::Connection &connection, const StageRequest &request);

} // namespace outbox::operations
