// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/connection.h"

#include <QStringList>

namespace outbox::operations {

/// The names of all message types ever staged, sorted. Blocks; the connection's thread.
Result<QStringList, store::StoreError> messageTypes(store::Connection &connection);

} // namespace outbox::operations
