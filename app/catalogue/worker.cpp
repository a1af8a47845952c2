// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogue/worker.h"

#include <algorithm>

namespace outbox::app {

dispatch::WorkerSettings workerSettingsOf(const Settings &settings)
{
    auto worker = settings.worker;
    for (const auto &each : settings.destinations)
        std::visit(
            [&](const auto &config) {
                if constexpr (requires { config.timeout; })
                    worker.answer = std::max(worker.answer, config.timeout);
            },
            each.transport);
    return worker;
}

} // namespace outbox::app
