// SPDX-License-Identifier: Apache-2.0
#include "operations/specifications.h"

#include "operations/rows.h"
#include "operations/specification_document.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace outbox::operations {

using store::Effect;

namespace {

QList<MessageContract> contractsOf(const QByteArray &json)
{
    QList<MessageContract> contracts;
    for (const auto &each : QJsonDocument::fromJson(json).array())
        contracts.append({MessageType(each[QStringLiteral("type")].toString()),
                          SchemaVersion(each[QStringLiteral("version")].toInt())});
    return contracts;
}

api::SpecificationRow rowOf(const QSqlQuery &row)
{
    api::SpecificationRow found;
    found.id = SpecificationId(row.value(0).toString());
    found.version = SpecificationVersion(row.value(1).toInt());
    found.status = row.value(2).toString();
    found.kind = row.value(3).toString();
    found.destination = DestinationName(row.value(4).toString());
    found.guarantee = row.value(5).toString();
    found.messages = contractsOf(row.value(6).toString().toUtf8());
    if (!row.value(7).isNull())
        found.decideBy = QDate::fromString(row.value(7).toString(), Qt::ISODate);
    found.overdue = row.value(8).toBool();
    found.appliedAt = timestampOf(row.value(9));
    found.appliedBy = row.value(10).toString();
    found.document = row.value(11).toString().toUtf8();
    return found;
}

} // namespace

QString ruleName(api::UnspecifiedTypes rule)
{
    switch (rule) {
    case api::UnspecifiedTypes::accept: return QStringLiteral("accept");
    case api::UnspecifiedTypes::refuse: return QStringLiteral("refuse");
    }
    return {};
}

Result<QList<api::AppliedSpecification>, store::StoreError>
applySpecifications(store::Connection &connection, const QList<Specification> &specifications)
{
    QJsonArray documents;
    for (const auto &each : specifications)
        documents.append(documentOf(each));
    const auto text = QString::fromUtf8(QJsonDocument(documents).toJson(QJsonDocument::Compact));
    const auto ran = connection.run("apply_specifications", {text}, Effect::writes);
    if (!ran)
        return ran.error();
    QList<api::AppliedSpecification> applied;
    for (auto &row = **ran; row.next();)
        applied.append({SpecificationId(row.value(0).toString()), SpecificationVersion(row.value(1).toInt()),
                        row.value(2).toString()});
    return applied;
}

Result<api::SpecificationList, store::StoreError> specifications(store::Connection &connection)
{
    api::SpecificationList list;
    const auto ran = connection.run("specifications", {}, Effect::reads);
    if (!ran)
        return ran.error();
    for (auto &row = **ran; row.next();)
        list.specifications.append(rowOf(row));
    const auto rest = connection.run("unspecified_types", {}, Effect::reads);
    if (!rest)
        return rest.error();
    (*rest)->next();
    list.rule = (*rest)->value(0).toString() == ruleName(api::UnspecifiedTypes::refuse) ? api::UnspecifiedTypes::refuse
                                                                                        : api::UnspecifiedTypes::accept;
    list.unspecified = contractsOf((*rest)->value(1).toString().toUtf8());
    return list;
}

Result<Done, store::StoreError> setUnspecifiedTypes(store::Connection &connection, api::UnspecifiedTypes rule)
{
    const auto ran = connection.run("set_unspecified", {ruleName(rule)}, Effect::writes);
    if (!ran)
        return ran.error();
    return Done{};
}

} // namespace outbox::operations
