// SPDX-License-Identifier: Apache-2.0
// Who does the work, and what nobody does.
#include "operations/doctor_checks.h"

namespace outbox::operations {

using store::Effect;

DoctorChecks checkRoutes(store::Connection &connection, const DoctorSettings &)
{
    const auto ran = connection.run("doctor_unrouted", {}, Effect::reads);
    if (!ran)
        return ran.error();
    (*ran)->next();
    const QString name = QStringLiteral("routes");
    if (const QString types = (*ran)->value(0).toString(); !types.isEmpty())
        return QList{warning(name, QStringLiteral("records wait that no route leads anywhere: ") + types,
                             QStringLiteral("add a route for these types to the configuration and start a worker"))};
    return QList{good(name, QStringLiteral("every waiting record has a destination"))};
}

DoctorChecks checkWorkers(store::Connection &connection, const DoctorSettings &)
{
    const auto ran = connection.run("doctor_workers", {}, Effect::reads);
    if (!ran)
        return ran.error();
    auto &row = **ran;
    row.next();
    const QString name = QStringLiteral("workers");
    const auto alive = row.value(0).toLongLong();
    const auto silent = row.value(1).toLongLong();
    QList<api::DoctorCheck> checks;
    if (silent > 0)
        checks << warning(name,
                          QStringLiteral("%1 not heard of for over two minutes: %2%3")
                              .arg(counted(silent, QStringLiteral("worker"), QStringLiteral("workers")),
                                   row.value(2).toString(), silent > 3 ? QStringLiteral(" ...") : QString()),
                          QStringLiteral("it ended without saying so; its records come back when their leases run "
                                         "out"));
    if (row.value(3).toBool())
        checks << warning(name,
                          QStringLiteral("records have been due for over a minute and nobody takes them, with %1 at "
                                         "work")
                              .arg(counted(alive, QStringLiteral("worker"), QStringLiteral("workers"))),
                          QStringLiteral("start a worker that delivers to their destination, or look at what slows "
                                         "the running ones"));
    if (checks.isEmpty())
        checks << good(
            name,
            QStringLiteral("%1 at work").arg(counted(alive, QStringLiteral("worker"), QStringLiteral("workers"))));
    return checks;
}

} // namespace outbox::operations
