// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maintenance/chore.h"

namespace outbox::maintenance {

/// Tells the store that this worker is alive.
class Heartbeat final : public Chore {
public:
    [[nodiscard]] const char *name() const override { return "heartbeat"; }
    [[nodiscard]] milliseconds interval() const override { return milliseconds{20000}; }
    Result<Done, store::StoreError> run(store::Connection &connection, WorkerId worker) override;
};

} // namespace outbox::maintenance
