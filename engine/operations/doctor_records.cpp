// SPDX-License-Identifier: Apache-2.0
// The records themselves: states, leases, partitions.
#include "operations/doctor_checks.h"

namespace outbox::operations {

using store::Effect;

namespace {

QString describeFault(const QString &fault, qint64 count, const QString &samples)
{
    const QString records = counted(count, QStringLiteral("record"), QStringLiteral("records"));
    const QString what = fault == QLatin1String("no-message") ? QStringLiteral("%1 in a state without a message")
                         : fault == QLatin1String("no-state") ? QStringLiteral("%1 in no state")
                                                              : QStringLiteral("%1 in several states at once");
    return what.arg(records) + QStringLiteral(": ") + samples + (count > 5 ? QStringLiteral(" ...") : QString());
}

} // namespace

DoctorChecks checkStates(store::Connection &connection, const DoctorSettings &)
{
    const auto ran = connection.run("doctor_states", {}, Effect::reads);
    if (!ran)
        return ran.error();
    QList<api::DoctorCheck> checks;
    for (auto &row = **ran; row.next();)
        checks << problem(QStringLiteral("states"),
                          describeFault(row.value(0).toString(), row.value(1).toLongLong(), row.value(2).toString()),
                          QStringLiteral("rows were changed past the functions of the schema; restore them from a "
                                         "backup, and take direct table rights away from whoever did it"));
    if (checks.isEmpty())
        checks << good(QStringLiteral("states"), QStringLiteral("every message is in exactly one state"));
    return checks;
}

DoctorChecks checkLeases(store::Connection &connection, const DoctorSettings &)
{
    const auto ran = connection.run("doctor_leases", {}, Effect::reads);
    if (!ran)
        return ran.error();
    auto &row = **ran;
    row.next();
    const QString name = QStringLiteral("leases");
    QList<api::DoctorCheck> checks;
    if (const auto without = row.value(0).toLongLong(); without > 0)
        checks << problem(
            name,
            QStringLiteral("%1 under way without a lease: %2")
                .arg(counted(without, QStringLiteral("record"), QStringLiteral("records")), row.value(1).toString()),
            QStringLiteral("no worker will return them; a lease was deleted past the functions of the "
                           "schema"));
    if (const auto empty = row.value(2).toLongLong(); empty > 0)
        checks << warning(
            name,
            QStringLiteral("%1 without records").arg(counted(empty, QStringLiteral("lease"), QStringLiteral("leases"))),
            QStringLiteral("it holds nothing up; a running worker removes it when it runs out"));
    if (const auto expired = row.value(3).toLongLong(); expired > 0)
        checks << warning(name,
                          QStringLiteral("%1 ran out over a minute ago and came back to nobody")
                              .arg(counted(expired, QStringLiteral("lease"), QStringLiteral("leases"))),
                          QStringLiteral("start a worker: any of them returns what others left"));
    if (checks.isEmpty())
        checks << good(name,
                       QStringLiteral("%1 in force, each with its records")
                           .arg(counted(row.value(4).toLongLong(), QStringLiteral("lease"), QStringLiteral("leases"))));
    return checks;
}

DoctorChecks checkPartitions(store::Connection &connection, const DoctorSettings &)
{
    const auto ran = connection.run("doctor_partitions", {}, Effect::reads);
    if (!ran)
        return ran.error();
    auto &row = **ran;
    row.next();
    const QString name = QStringLiteral("partitions");
    QList<api::DoctorCheck> checks;
    if (const QString missing = row.value(0).toString(); !missing.isEmpty())
        checks << problem(name, QStringLiteral("missing: ") + missing,
                          QStringLiteral("start a worker, which makes them ahead of time; until then rows go to the "
                                         "default partition and move later"));
    const auto messages = row.value(2).toLongLong();
    const auto dispatched = row.value(3).toLongLong();
    if (messages + dispatched > 0)
        checks << warning(name,
                          QStringLiteral("%1 in the default partitions")
                              .arg(counted(messages + dispatched, QStringLiteral("row"), QStringLiteral("rows"))),
                          QStringLiteral("ids of days without a partition, far ahead or behind; retention takes them "
                                         "row by row"));
    if (checks.isEmpty())
        checks << good(name,
                       QStringLiteral("made for today and %1 ahead")
                           .arg(counted(row.value(1).toLongLong() - 1, QStringLiteral("day"), QStringLiteral("days"))));
    return checks;
}

} // namespace outbox::operations
