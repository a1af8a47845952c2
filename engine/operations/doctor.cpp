// SPDX-License-Identifier: Apache-2.0
#include "operations/doctor.h"

#include "operations/doctor_checks.h"

namespace outbox::operations {

namespace {

using Look = DoctorChecks (*)(store::Connection &, const DoctorSettings &);

struct NamedLook {
    const char16_t *name; ///< for what the role may not see
    Look look;
};

constexpr NamedLook looks[] = {
    {u"roles", checkRoles},           {u"server", checkServer},      {u"states", checkStates},
    {u"leases", checkLeases},         {u"routes", checkRoutes},      {u"workers", checkWorkers},
    {u"partitions", checkPartitions}, {u"snapshot", checkSnapshots}, {u"specifications", checkSpecifications},
};

bool isAboutRights(const store::StoreError &error)
{
    const auto *unavailable = std::get_if<store::Unavailable>(&error);
    return unavailable != nullptr && unavailable->why == store::Unavailable::Why::no_rights;
}

} // namespace

Result<api::DoctorReport, store::StoreError> doctor(store::Connection &connection, const DoctorSettings &settings)
{
    api::DoctorReport report;
    report.role = connection.sessionUser();
    for (const auto &each : looks) {
        const auto found = each.look(connection, settings);
        if (found)
            report.checks << *found;
        else if (isAboutRights(found.error()))
            report.checks << warning(QString::fromUtf16(each.name), QStringLiteral("not looked at: this role may not"),
                                     QStringLiteral("connect as a member of outbox_viewer or outbox_operator"));
        else
            return found.error();
    }
    return report;
}

api::DoctorCheck good(const QString &name, const QString &text)
{
    return {name, api::DoctorCheck::Level::ok, text, {}};
}

api::DoctorCheck warning(const QString &name, const QString &text, const QString &hint)
{
    return {name, api::DoctorCheck::Level::warning, text, hint};
}

api::DoctorCheck problem(const QString &name, const QString &text, const QString &hint)
{
    return {name, api::DoctorCheck::Level::problem, text, hint};
}

QString counted(qint64 count, const QString &one, const QString &many)
{
    return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? one : many);
}

QString span(seconds length)
{
    const auto count = length.count();
    if (count < 120)
        return QStringLiteral("%1 s").arg(count);
    if (count < 7200)
        return QStringLiteral("%1 min").arg(count / 60);
    if (count < 172800)
        return QStringLiteral("%1 h").arg(count / 3600);
    return QStringLiteral("%1 d").arg(count / 86400);
}

} // namespace outbox::operations
