// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "store/connection.h"

#include <optional>

namespace outbox::operations {

/// Everything about one record (S4, S13, S23, D3): what was staged, byte for byte; the state it is in; its failed
/// attempts and its replays. Nothing when there is no such record. Blocks; the connection's thread.
Result<std::optional<api::RecordDetail>, store::StoreError> recordDetail(store::Connection &connection, MessageId id);

} // namespace outbox::operations
