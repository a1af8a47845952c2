// SPDX-License-Identifier: Apache-2.0
#include "dispatch/lease_table.h"

#include <algorithm>

namespace outbox::dispatch {

void LeaseTable::opened(WorkerId worker, Fence fence, int records, Instant ends)
{
    const std::lock_guard guard(mutex_);
    leases_[fence.value()] = Entry{worker, records, ends};
}

void LeaseTable::settled(Fence fence, int records)
{
    const std::lock_guard guard(mutex_);
    const auto found = leases_.find(fence.value());
    if (found == leases_.end())
        return;
    found->second.records -= records;
    if (found->second.records <= 0)
        leases_.erase(found);
}

void LeaseTable::extended(const std::vector<Fence> &fences, Instant ends)
{
    const std::lock_guard guard(mutex_);
    for (const auto &fence : fences)
        if (const auto found = leases_.find(fence.value()); found != leases_.end())
            found->second.ends = ends;
}

void LeaseTable::lost(const std::vector<Fence> &fences)
{
    const std::lock_guard guard(mutex_);
    for (const auto &fence : fences)
        leases_.erase(fence.value());
}

std::optional<Instant> LeaseTable::endOf(Fence fence) const
{
    const std::lock_guard guard(mutex_);
    const auto found = leases_.find(fence.value());
    if (found == leases_.end())
        return std::nullopt;
    return found->second.ends;
}

std::vector<Fence> LeaseTable::held(WorkerId worker) const
{
    const std::lock_guard guard(mutex_);
    std::vector<Fence> fences;
    for (const auto &[fence, entry] : leases_)
        if (entry.worker == worker)
            fences.emplace_back(fence);
    return fences;
}

std::vector<WorkerId> LeaseTable::workers() const
{
    const std::lock_guard guard(mutex_);
    std::vector<WorkerId> all;
    for (const auto &[fence, entry] : leases_)
        if (std::find(all.begin(), all.end(), entry.worker) == all.end())
            all.push_back(entry.worker);
    return all;
}

} // namespace outbox::dispatch
