// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maintenance/chore.h"

namespace outbox::maintenance {

/// Takes away the sleep marks of workers that died asleep, so that commits stop notifying nobody.
class SleepMarks final : public Chore {
public:
    [[nodiscard]] const char *name() const override { return "sleep-marks"; }
    [[nodiscard]] milliseconds interval() const override { return milliseconds{60000}; }
    Result<Done, store::StoreError> run(store::Connection &connection, WorkerId worker) override;
};

} // namespace outbox::maintenance
