// SPDX-License-Identifier: Apache-2.0
#include "runtime/chores.h"

#include "maintenance/expired_leases.h"
#include "maintenance/heartbeat.h"
#include "maintenance/partitions.h"
#include "maintenance/sleep_marks.h"
#include "maintenance/tally_roll_up.h"
#include "maintenance/unrouted_lanes.h"

#include <algorithm>

namespace outbox::runtime {

std::vector<std::unique_ptr<maintenance::Chore>> choresOf(const dispatch::WorkerSettings &settings)
{
    std::vector<std::unique_ptr<maintenance::Chore>> chores;
    chores.push_back(std::make_unique<maintenance::Heartbeat>());
    chores.push_back(std::make_unique<maintenance::ExpiredLeases>(
        std::clamp(settings.lease / 3, milliseconds{6500}, milliseconds{10000}), settings.retry, settings.backoff));
    chores.push_back(std::make_unique<maintenance::Partitions>());
    chores.push_back(std::make_unique<maintenance::SleepMarks>());
    chores.push_back(std::make_unique<maintenance::UnroutedLanes>());
    chores.push_back(std::make_unique<maintenance::TallyRollUp>());
    return chores;
}

} // namespace outbox::runtime
