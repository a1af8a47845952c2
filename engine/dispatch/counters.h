// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace outbox::dispatch {

/// What this worker has done since it was made. Any thread.
struct WorkerCounters {
    std::atomic<std::int64_t> claimed{0};
    std::atomic<std::int64_t> accepted{0}; ///< written as dispatched
    std::atomic<std::int64_t> retried{0};
    std::atomic<std::int64_t> dead{0};
    std::atomic<std::int64_t> released{0}; ///< given back untried
    std::atomic<std::int64_t> refused{0};  ///< late outcomes that the fence refused (S8)
    std::atomic<int> inFlight{0};          ///< claimed, and not settled in the store
};

} // namespace outbox::dispatch
