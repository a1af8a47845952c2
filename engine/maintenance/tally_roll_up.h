// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maintenance/chore.h"

namespace outbox::maintenance {

/// Sums up the tally of days long past, so that totals stay exact and the table small.
class TallyRollUp final : public Chore {
public:
    [[nodiscard]] const char *name() const override { return "tally-roll-up"; }
    [[nodiscard]] milliseconds interval() const override { return milliseconds{3600000}; }
    Result<Done, store::StoreError> run(store::Connection &connection, WorkerId worker) override;
};

} // namespace outbox::maintenance
