// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dispatch/worker_settings.h"
#include "settings/settings.h"

namespace outbox::app {

/// What the settings file says of this computer's worker, in the engine's terms: with retries and routes.
dispatch::WorkerSettings workerSettingsOf(const Settings &settings, const QString &programVersion);

} // namespace outbox::app
