// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogue/worker.h"

namespace outbox::app {

dispatch::WorkerSettings workerSettingsOf(const Settings &settings, const QString &programVersion)
{
    dispatch::WorkerSettings worker;
    worker.name = settings.worker.name;
    worker.version = programVersion;
    worker.batch = settings.worker.batch;
    worker.lease = settings.worker.lease;
    worker.poll = settings.worker.poll;
    worker.grace = settings.worker.grace;
    worker.retry = settings.retry;
    worker.backoff = settings.backoff;
    for (const auto &route : settings.routes)
        worker.routes.append({route.type, route.destination.value()});
    return worker;
}

} // namespace outbox::app
