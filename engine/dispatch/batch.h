// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"
#include "domain/ids.h"
#include "store/worker_store.h"

#include <vector>

namespace outbox::dispatch {

/// Records of one claim for one destination, on their way from the claim loop to the destination's thread.
struct ClaimedBatch {
    WorkerId worker;
    Fence fence;
    Instant leaseEnds; ///< on our own clock, counted from before the claim: never later than the store's expiry
    std::vector<store::ClaimedRecord> records;
};

/// How one delivery ended, on its way from the destination's thread to the outcome writer.
struct Outcome {
    int destination = 0; ///< its place in the catalogue
    WorkerId worker;
    store::Held held;
    int attempt = 1;
    milliseconds took{0};
    delivery::DeliveryOutcome result;
};

} // namespace outbox::dispatch
