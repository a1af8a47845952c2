// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "domain/ids.h"

#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace outbox::dispatch {

/// The leases that this worker holds, and until when, on its own clock and never later than the store says.
/// Any thread.
class LeaseTable {
public:
    void opened(WorkerId worker, Fence fence, int records, Instant ends);
    /// That many of the lease's records have their outcome in the store, or are known to be lost.
    void settled(Fence fence, int records);
    void extended(const std::vector<Fence> &fences, Instant ends);
    void lost(const std::vector<Fence> &fences);

    /// Nothing: not ours (any more).
    [[nodiscard]] std::optional<Instant> endOf(Fence fence) const;
    /// All fences of a worker that are still ours.
    [[nodiscard]] std::vector<Fence> held(WorkerId worker) const;
    /// The workers that hold leases: one, unless the store was made anew in between.
    [[nodiscard]] std::vector<WorkerId> workers() const;

private:
    struct Entry {
        WorkerId worker;
        int records = 0;
        Instant ends;
    };
    mutable std::mutex mutex_;
    std::unordered_map<std::int64_t, Entry> leases_;
};

} // namespace outbox::dispatch
