// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"
#include "domain/ids.h"

#include <functional>
#include <memory>
#include <vector>

namespace outbox::delivery {

/// A destination that can be built: called in the thread it will live in.
struct DestinationEntry {
    DestinationName name;
    int concurrency = 1; ///< what the built one will answer
    std::function<std::unique_ptr<Destination>(OutcomeSink &)> make;
};

/// Every destination that this worker delivers to. Made by the composition root from the settings.
using DestinationCatalogue = std::vector<DestinationEntry>;

} // namespace outbox::delivery
