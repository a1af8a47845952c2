// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/specification_text.h"

#include "operations/specifications.h"

namespace outbox::cli {

namespace {

QString messagesText(const QList<MessageContract> &messages)
{
    QStringList texts;
    for (const auto &each : messages)
        texts << QStringLiteral("%1/%2").arg(oneLine(each.type.value())).arg(each.version.value());
    return texts.join(QStringLiteral(", "));
}

QString statusText(const Specification &specification)
{
    const auto name = statusName(specification.status);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QList<JsonObject> problemsOf(const app::SettingsErrors &errors)
{
    QList<JsonObject> objects;
    for (const auto &each : errors)
        objects << JsonObject()
                       .add("file", each.file)
                       .add("line", each.line)
                       .add("column", each.column)
                       .add("field", each.key)
                       .add("reason", each.problem);
    return objects;
}

QList<JsonObject> jsonOfMessages(const QList<MessageContract> &messages)
{
    QList<JsonObject> objects;
    for (const auto &each : messages)
        objects << JsonObject().add("type", each.type.value()).add("version", each.version.value());
    return objects;
}

JsonObject jsonOf(const api::SpecificationRow &row)
{
    JsonObject object;
    object.add("id", row.id.value())
        .add("version", row.version.value())
        .add("status", row.status)
        .addText("decide_by", row.decideBy ? row.decideBy->toString(Qt::ISODate) : QString())
        .add("overdue", row.overdue)
        .add("kind", row.kind)
        .add("destination", row.destination.value())
        .add("guarantee", row.guarantee)
        .add("messages", jsonOfMessages(row.messages))
        .add("applied_at", isoTime(row.appliedAt))
        .add("applied_by", row.appliedBy)
        .raw("document", row.document);
    return object;
}

} // namespace

QStringList checkedLines(const app::LoadedSpecifications &loaded)
{
    QStringList lines;
    for (const auto &each : loaded.specifications)
        lines << QStringLiteral("%1 %2 %3: %4 to %5")
                     .arg(each.id.value())
                     .arg(each.version.value())
                     .arg(statusText(each), messagesText(each.messages), each.destination.value());
    for (const auto &each : loaded.warnings)
        lines << QStringLiteral("warning: ") + oneLine(each.text());
    return lines;
}

QByteArray jsonOfChecked(const app::LoadedSpecifications &loaded)
{
    QList<JsonObject> specifications;
    for (const auto &each : loaded.specifications)
        specifications << JsonObject()
                              .add("id", each.id.value())
                              .add("version", each.version.value())
                              .add("status", statusText(each));
    return JsonObject()
        .add("valid", true)
        .add("specifications", specifications)
        .add("warnings", problemsOf(loaded.warnings))
        .add("errors", QList<JsonObject>())
        .text();
}

QByteArray jsonOfErrors(const app::SettingsErrors &errors)
{
    return JsonObject()
        .add("valid", false)
        .add("specifications", QList<JsonObject>())
        .add("warnings", QList<JsonObject>())
        .add("errors", problemsOf(errors))
        .text();
}

QString lineOf(const api::AppliedSpecification &applied)
{
    return QStringLiteral("%1 %2 %3").arg(applied.id.value()).arg(applied.version.value()).arg(applied.outcome);
}

QByteArray jsonOf(const api::AppliedSpecification &applied)
{
    return JsonObject()
        .add("id", applied.id.value())
        .add("version", applied.version.value())
        .add("outcome", applied.outcome)
        .text();
}

void printList(Output &out, const api::SpecificationList &list)
{
    if (list.specifications.isEmpty()) {
        out.line(QStringLiteral("No specifications."));
    } else {
        Table table({QStringLiteral("ID"), QStringLiteral("VERSION"), QStringLiteral("STATUS"),
                     QStringLiteral("DESTINATION"), QStringLiteral("MESSAGES")});
        for (const auto &each : list.specifications)
            table.add({each.id.value(), QString::number(each.version.value()),
                       each.overdue ? QStringLiteral("%1, overdue since %2")
                                          .arg(each.status, each.decideBy.value_or(QDate()).toString(Qt::ISODate))
                                    : each.status,
                       oneLine(each.destination.value()), messagesText(each.messages)});
        table.print(out);
    }
    out.line(list.unspecified.isEmpty() ? ruleLine(list.rule) : unspecifiedLine(list));
}

QByteArray jsonOf(const api::SpecificationList &list)
{
    QList<JsonObject> rows;
    for (const auto &each : list.specifications)
        rows << jsonOf(each);
    return JsonObject()
        .add("unspecified", operations::ruleName(list.rule))
        .add("specifications", rows)
        .add("types_without_specification", jsonOfMessages(list.unspecified))
        .text();
}

QString unspecifiedLine(const api::SpecificationList &list)
{
    const QString types = messagesText(list.unspecified);
    if (list.rule == api::UnspecifiedTypes::accept)
        return QStringLiteral("Staged without an active specification, by the defaults of the worker: %1.").arg(types);
    return QStringLiteral("Refused from now on, for they have no active specification: %1 (`outbox spec unspecified "
                          "accept` lets them pass).")
        .arg(types);
}

QString ruleLine(api::UnspecifiedTypes rule)
{
    return rule == api::UnspecifiedTypes::accept
               ? QStringLiteral("Types without an active specification may be staged.")
               : QStringLiteral("Types without an active specification are refused.");
}

} // namespace outbox::cli
