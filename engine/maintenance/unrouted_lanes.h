// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maintenance/chore.h"

namespace outbox::maintenance {

/// Gives lanes that were made before their route could be seen the destination that the route names.
class UnroutedLanes final : public Chore {
public:
    [[nodiscard]] const char *name() const override { return "unrouted-lanes"; }
    [[nodiscard]] milliseconds interval() const override { return milliseconds{60000}; }
    Result<Done, store::StoreError> run(store::Connection &connection, WorkerId worker) override;
};

} // namespace outbox::maintenance
