// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maintenance/chore.h"

namespace outbox::maintenance {

/// Makes the partitions of the coming days ahead of time.
class Partitions final : public Chore {
public:
    [[nodiscard]] const char *name() const override { return "partitions"; }
    [[nodiscard]] milliseconds interval() const override { return milliseconds{3600000}; }
    Result<Done, store::StoreError> run(store::Connection &connection, WorkerId worker) override;
};

} // namespace outbox::maintenance
