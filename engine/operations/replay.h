// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "store/connection.h"

namespace outbox::operations {

/// How many records one request may name.
constexpr int mostReplayed = 1000;

/// Puts dead letters back to pending: same id, same payload, attempts from the beginning (S22, S23). Each record gets
/// its verdict, in the order asked for. The audit row is part of the same transaction and names the database login.
/// Refused: no reason (OB040). More ids than mostReplayed are a programming error. Blocks; the connection's thread.
Result<api::ReplayResult, store::StoreError> replay(store::Connection &connection, const QList<MessageId> &ids,
                                                    const QString &reason);

} // namespace outbox::operations
