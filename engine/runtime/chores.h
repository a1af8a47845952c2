// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dispatch/worker_settings.h"
#include "maintenance/chore.h"

#include <memory>
#include <vector>

namespace outbox::runtime {

/// What a worker does at intervals beside claiming. Together with the looks of an idle claim loop, one each poll
/// interval, at most thirty statements a minute, whatever validate() lets the settings be.
std::vector<std::unique_ptr<maintenance::Chore>> choresOf(const dispatch::WorkerSettings &settings);

} // namespace outbox::runtime
