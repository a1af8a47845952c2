// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/worker_run.h"

#include "catalogue/catalogue.h"
#include "catalogue/worker.h"
#include "cli/stop_signals.h"

#include <QCoreApplication>

namespace outbox::cli {

Result<WorkerRun, Failure> runWorker(Context &context, Until until)
{
    const auto settings = context.settings();
    if (!settings)
        return settings.error();
    if (settings->destinations.isEmpty())
        return Failure{ExitCode::bad_input,
                       QStringLiteral("there is no destination to deliver to; pass --config FILE with `destinations:` "
                                      "and `routes:`")};
    const auto worker = app::workerSettingsOf(*settings);
    if (const QString wrong = dispatch::validate(worker); !wrong.isEmpty())
        return Failure{ExitCode::bad_input, QStringLiteral("the worker's settings: ") + wrong};
    const auto server = context.server();
    if (!server)
        return server.error();

    StopSignals signals_;
    runtime::WorkerRuntime runtime(*server, worker, app::catalogueOf(*settings));
    QObject::connect(&signals_, &StopSignals::requested, &runtime, &runtime::WorkerRuntime::stop);
    QObject::connect(&runtime, &runtime::WorkerRuntime::drained, &runtime, &runtime::WorkerRuntime::stop);
    QObject::connect(&runtime, &runtime::WorkerRuntime::stopped, qApp, &QCoreApplication::quit, Qt::QueuedConnection);
    runtime.start();
    if (until == Until::drained)
        runtime.reportDrained();
    QCoreApplication::exec();
    return WorkerRun{runtime.status(), signals_.exitCode()};
}

} // namespace outbox::cli
