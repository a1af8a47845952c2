// SPDX-License-Identifier: Apache-2.0
#include "writer/outbox_writer.h"

#include "store/pg_text.h"
#include "store/statements.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSqlQuery>

namespace outbox::writer {

namespace {

QString headersText(const QList<Header> &headers)
{
    if (headers.isEmpty())
        return {};
    QJsonObject object;
    for (const auto &[name, value] : headers)
        object.insert(name, value);
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

QString eventRecordOf(const MessageKind &kind)
{
    const auto *event = std::get_if<IntegrationEvent>(&kind);
    return event == nullptr || event->eventRecord.isNull() ? QString() : event->eventRecord;
}

QString textOrNull(const std::optional<Timestamp> &moment) { return moment ? store::timestamp(*moment) : QString(); }

/// The messages as columns, in the order of outbox.stage(); a null text is NULL.
QVariantList columnsOf(const std::vector<NewMessage> &messages)
{
    std::vector<QStringList> columns(11);
    for (const auto &message : messages) {
        columns[0] << QString::fromUtf8(kindName(message.kind).data());
        columns[1] << (message.type.value().isNull() ? QStringLiteral("") : message.type.value());
        columns[2] << QString::number(message.version.value());
        columns[3] << (message.payload.isNull() ? QString() : QString::fromUtf8(message.payload));
        columns[4] << eventRecordOf(message.kind);
        columns[5] << textOrNull(message.occurredAt);
        columns[6] << (message.tenant.isEmpty() ? QString() : message.tenant);
        columns[7] << headersText(message.headers);
        columns[8] << (message.id ? toText(*message.id) : QString());
        columns[9] << textOrNull(message.notBefore);
        columns[10] << (message.orderingKey.isEmpty() ? QString() : message.orderingKey);
    }
    QVariantList parameters;
    for (const auto &column : columns)
        parameters << store::arrayOfNullableTexts(column);
    return parameters;
}

} // namespace

Result<MessageId, StageError> OutboxWriter::stage(const NewMessage &message)
{
    auto staged = stageMany({message});
    if (!staged)
        return staged.error();
    return staged->front();
}

Result<std::vector<MessageId>, StageError> OutboxWriter::stageMany(const std::vector<NewMessage> &messages)
{
    if (auto wrong = transactionProblem(connection_))
        return *wrong;
    std::vector<MessageId> ids;
    if (messages.empty())
        return ids;
    for (const auto &message : messages)
        if (message.payload.contains('\0')) // JSON has none, and PostgreSQL's texts cannot carry one.
            return StageError(store::StoreError(store::Refused{
                QStringLiteral("OB004"), QStringLiteral("the payload of %1 is not JSON").arg(message.type.value()),
                QStringLiteral("Pass one JSON value as text; write a NUL character as \\u0000.")}));
    QSqlQuery query(connection_);
    if (!query.prepare(store::statementText("stage_many")))
        return statementError(query, connection_);
    for (const auto &parameter : columnsOf(messages))
        query.addBindValue(parameter);
    if (!query.exec())
        return statementError(query, connection_);
    ids.reserve(messages.size());
    while (query.next())
        ids.emplace_back(QUuid::fromString(query.value(0).toString()));
    return ids;
}

} // namespace outbox::writer
