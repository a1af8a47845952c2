// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dispatch/worker_settings.h"
#include "settings/settings.h"

namespace outbox::app {

/// What the settings file says of this computer's worker. It waits for an answer at least as long as its most patient
/// destination does, so that every `timeout` means what it says.
dispatch::WorkerSettings workerSettingsOf(const Settings &settings);

} // namespace outbox::app
