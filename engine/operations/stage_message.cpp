// SPDX-License-Identifier: Apache-2.0
#include "operations/stage_message.h"

#include "operations/rows.h"

#include <QUtf8StringView>

namespace outbox::operations {

namespace {

/// A NUL would end the text on its way to the server; everything behind it would be lost without a word.
bool isText(const QByteArray &bytes)
{
    return QUtf8StringView(bytes.constData(), bytes.size()).isValidUtf8() && !bytes.contains('\0');
}

store::StoreError refused(const char *state, const QString &text, const QString &hint)
{
    return store::Refused{QLatin1String(state), text, hint};
}

} // namespace

Result<MessageId, store::StoreError> stageMessage(store::Connection &connection, const StageRequest &request)
{
    if (!isText(request.payload))
        return refused("OB004", QStringLiteral("the payload of %1 is not text in UTF-8").arg(request.type),
                       QStringLiteral("Pass one JSON value as text; a binary body as a base64 text in JSON."));
    if (request.headers && !isText(*request.headers))
        return refused("OB007", QStringLiteral("the headers of %1 are not text in UTF-8").arg(request.type),
                       QStringLiteral("Every header has a name and a text value."));
    const auto headers = request.headers ? std::optional(QString::fromUtf8(*request.headers)) : std::nullopt;
    const auto id = request.id ? std::optional(toText(*request.id)) : std::nullopt;
    const auto ran = connection.run("stage_message",
                                    {request.kind, request.type, request.version, QString::fromUtf8(request.payload),
                                     textOrNull(request.eventRecord), textOrNull(request.occurredAt),
                                     textOrNull(request.tenant), textOrNull(headers), textOrNull(id),
                                     textOrNull(request.notBefore), textOrNull(request.orderingKey)},
                                    store::Effect::writes);
    if (!ran)
        return ran.error();
    (*ran)->next();
    return idOf((*ran)->value(0));
}

} // namespace outbox::operations
