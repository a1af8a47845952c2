// SPDX-License-Identifier: Apache-2.0
#include "operations/record_detail.h"

#include "operations/rows.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace outbox::operations {

namespace {

using store::Effect;
using store::StoreError;

QList<Header> headersOf(const QVariant &json)
{
    QList<Header> headers;
    const auto object = QJsonDocument::fromJson(json.toString().toUtf8()).object();
    for (auto each = object.begin(); each != object.end(); ++each)
        headers << Header{each.key(), each.value().toString()};
    return headers;
}

api::RecordDetail detailOf(const QSqlQuery &row)
{
    api::RecordDetail detail;
    detail.message.id = idOf(row.value(0));
    detail.message.kind = kindOf(row.value(1), row.value(2).toString());
    detail.message.type = MessageType(row.value(3).toString());
    detail.message.version = SchemaVersion(row.value(4).toInt());
    detail.message.occurredAt = timestampOf(row.value(5));
    detail.stagedAt = timestampOf(row.value(6));
    detail.message.tenant = row.value(7).toString();
    detail.message.payload = row.value(8).toString().toUtf8();
    detail.message.headers = headersOf(row.value(9));
    detail.destination = row.value(10).toString();
    detail.state = stateOf(
        {row.value(11), row.value(12), row.value(13), row.value(14), row.value(15), row.value(16), row.value(17)});
    detail.worker = row.value(18).toString();
    detail.claimedAt = timestampOf(row.value(19));
    detail.readAt = timestampOf(row.value(20));
    return detail;
}

Result<QList<api::AttemptRow>, StoreError> attemptsOf(store::Connection &connection, const QString &id)
{
    const auto ran = connection.run("record_attempts", {id}, Effect::reads);
    if (!ran)
        return ran.error();
    QList<api::AttemptRow> attempts;
    for (auto &row = **ran; row.next();)
        attempts << api::AttemptRow{row.value(0).toInt(),    timestampOf(row.value(1)), timestampOf(row.value(2)),
                                    row.value(3).toString(), causeOf(row.value(4)),     row.value(5).toString()};
    return attempts;
}

Result<QList<api::ReplayRow>, StoreError> replaysOf(store::Connection &connection, const QString &id)
{
    const auto ran = connection.run("record_replays", {id}, Effect::reads);
    if (!ran)
        return ran.error();
    QList<api::ReplayRow> replays;
    for (auto &row = **ran; row.next();)
        replays << api::ReplayRow{timestampOf(row.value(0)), row.value(1).toString(), row.value(2).toString(),
                                  causeOf(row.value(3)), row.value(4).toString()};
    return replays;
}

} // namespace

Result<std::optional<api::RecordDetail>, StoreError> recordDetail(store::Connection &connection, MessageId id)
{
    const QString text = toText(id);
    const auto ran = connection.run("record", {text}, Effect::reads);
    if (!ran)
        return ran.error();
    if (!(*ran)->next())
        return std::optional<api::RecordDetail>();
    auto detail = detailOf(**ran);
    auto attempts = attemptsOf(connection, text);
    if (!attempts)
        return attempts.error();
    auto replays = replaysOf(connection, text);
    if (!replays)
        return replays.error();
    detail.attempts = std::move(attempts).value();
    detail.replays = std::move(replays).value();
    // A dead letter's last attempt is the newest of its failed ones.
    if (std::holds_alternative<DeadLetter>(detail.state) && !detail.attempts.isEmpty())
        detail.claimedAt = detail.attempts.constLast().startedAt;
    return std::optional(detail);
}

} // namespace outbox::operations
