// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "store/store_error.h"

namespace outbox::operations {

/// What a window is told about a store that gave no answer.
api::OperationError operationError(const store::StoreError &error);

} // namespace outbox::operations
