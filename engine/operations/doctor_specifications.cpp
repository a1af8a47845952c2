// SPDX-License-Identifier: Apache-2.0
// What was promised: drafts that nobody decided, and messages that nobody specified.
#include "operations/doctor_checks.h"
#include "operations/specifications.h"

namespace outbox::operations {

namespace {

QString textOf(const QList<MessageContract> &messages)
{
    QStringList texts;
    for (const auto &each : messages)
        texts << QStringLiteral("%1 version %2").arg(each.type.value()).arg(each.version.value());
    return texts.join(QStringLiteral(", "));
}

} // namespace

DoctorChecks checkSpecifications(store::Connection &connection, const DoctorSettings &)
{
    const auto list = specifications(connection);
    if (!list)
        return list.error();
    const QString name = QStringLiteral("specifications");
    if (list->specifications.isEmpty())
        return QList{good(name, QStringLiteral("none is applied; every type may be staged"))};
    QList<api::DoctorCheck> checks;
    QStringList overdue;
    for (const auto &each : list->specifications)
        if (each.overdue)
            overdue << each.id.value();
    if (!overdue.isEmpty())
        checks << warning(name,
                          QStringLiteral("drafts that nobody decided in time: ") + overdue.join(QStringLiteral(", ")),
                          QStringLiteral("ask the decider that each draft names, then apply it as active or retired"));
    if (!list->unspecified.isEmpty())
        checks << warning(
            name,
            QStringLiteral("messages that were staged and have no active specification: ") + textOf(list->unspecified),
            list->rule == api::UnspecifiedTypes::accept
                ? QStringLiteral("they go by the worker's defaults; specify them with `outbox spec apply`")
                : QStringLiteral("staging them is refused now; specify them with `outbox spec apply`"));
    if (checks.isEmpty())
        checks << good(name, QStringLiteral("every staged message has an active one"));
    return checks;
}

} // namespace outbox::operations
