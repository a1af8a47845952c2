// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "domain/transitions.h"
#include "maintenance/chore.h"

namespace outbox::maintenance {

/// Returns expired claims to eligible work, whoever held them (S9). The attempt is used up.
class ExpiredLeases final : public Chore {
public:
    ExpiredLeases(milliseconds interval, RetryPolicy retry, Backoff backoff)
        : interval_(interval), retry_(retry), backoff_(backoff)
    {
    }
    [[nodiscard]] const char *name() const override { return "expired-leases"; }
    [[nodiscard]] milliseconds interval() const override { return interval_; }
    Result<Done, store::StoreError> run(store::Connection &connection, WorkerId worker) override;

private:
    const milliseconds interval_;
    const RetryPolicy retry_;
    const Backoff backoff_;
};

} // namespace outbox::maintenance
