// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"
#include "runtime/worker_runtime.h"

namespace outbox::cli {

enum class Until {
    stopped, ///< by a signal
    drained, ///< nothing is due any more
};

struct WorkerRun {
    runtime::WorkerStatus status;
    int signal = 0; ///< 130 or 143 when a signal ended it, else 0
};

/// Runs the worker of the settings file in this process, to its end. A signal ends it in good order: nothing more is
/// claimed, what is in flight may end within the grace period, the rest is given back.
Result<WorkerRun, Failure> runWorker(Context &context, Until until);

} // namespace outbox::cli
