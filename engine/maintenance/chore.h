// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "domain/ids.h"
#include "store/connection.h"

namespace outbox::maintenance {

/// One piece of upkeep that any worker may do at any time, idempotent and bounded. One chore, one class, one file.
class Chore {
public:
    Chore() = default;
    Chore(const Chore &) = delete;
    Chore &operator=(const Chore &) = delete;
    virtual ~Chore() = default;

    [[nodiscard]] virtual const char *name() const = 0;
    [[nodiscard]] virtual milliseconds interval() const = 0;
    /// Runs in the maintenance thread, on its connection.
    virtual Result<Done, store::StoreError> run(store::Connection &connection, WorkerId worker) = 0;
};

} // namespace outbox::maintenance
