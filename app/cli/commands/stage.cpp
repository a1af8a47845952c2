// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"
#include "cli/failures.h"
#include "cli/record_text.h"
#include "operations/stage_message.h"

#include <QFile>

#include <cstdio>

namespace outbox::cli {

namespace {

std::optional<QString> given(const std::string &text)
{
    return text.empty() ? std::nullopt : std::optional(QString::fromStdString(text));
}

Result<QByteArray, Failure> readPayload(const std::string &path)
{
    const QString name = QString::fromStdString(path);
    QFile file(name);
    const bool opened = path == "-" ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened)
        return Failure{ExitCode::bad_input,
                       QStringLiteral("the payload %1 cannot be read: %2").arg(name, file.errorString())};
    const QByteArray payload = file.readAll();
    if (file.error() != QFileDevice::NoError)
        return Failure{ExitCode::bad_input,
                       QStringLiteral("the payload %1 cannot be read: %2").arg(name, file.errorString())};
    return payload;
}

/// NAME=VALUE, many times, as one JSON object.
Result<std::optional<QByteArray>, Failure> headersOf(const std::vector<std::string> &pairs)
{
    if (pairs.empty())
        return std::optional<QByteArray>();
    QByteArray members;
    for (const auto &pair : pairs) {
        const QString text = QString::fromStdString(pair);
        const auto at = text.indexOf(QLatin1Char('='));
        if (at < 1)
            return Failure{ExitCode::bad_input,
                           QStringLiteral("--header: \"%1\" is not NAME=VALUE").arg(oneLine(text))};
        members += (members.isEmpty() ? "" : ",") + jsonString(text.left(at)) + ':' + jsonString(text.mid(at + 1));
    }
    return std::optional<QByteArray>('{' + members + '}');
}

class Stage final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("stage", "Stage one message in a transaction of its own");
        command.option("PAYLOAD", payload_, "A file with one JSON value; - or nothing: standard input");
        command.option("--type", type_, "The message's stable type, such as orders.placed").required().typeName("TYPE");
        command.option("--schema-version", version_, "The version of its contract (default 1)").typeName("N");
        command
            .option("--kind", kind_,
                    "integration_event, journey_step_command or provider_side_effect; by default the first "
                    "with --event-record, the last without")
            .typeName("KIND");
        command.option("--event-record", eventRecord_, "The Event record that an integration event cites")
            .typeName("TEXT");
        command.option("--tenant", tenant_, "Whose message it is").typeName("TENANT");
        command.option("--header", headers_, "A header that travels with it; many times").typeName("NAME=VALUE");
        command.option("--id", id_, "Its id; the store makes one by default").typeName("UUID");
        command.option("--occurred-at", occurredAt_, "When it happened (default: now)").typeName("TIME");
        command.option("--ordering-key", orderingKey_, "Messages of one key are delivered strictly in order")
            .typeName("TEXT");
        command.option("--not-before", notBefore_, "No attempt before then").typeName("TIME");
        command.footer(
            "Prints the message's id. The payload is kept byte for byte. For tries and for scripts; an\n"
            "application stages inside its own transaction, with select outbox.stage(...) or OutboxWriter.\n\n"
            "Example:\n  echo '{\"order\": 7}' | outbox stage --type orders.placed --header source=shell");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        auto request = readRequest();
        if (!request)
            return request.error();
        store::ConnectionSettings settings;
        settings.purpose = QStringLiteral("outbox-stage");
        settings.needWrite = true;
        const auto connection = context.connect(settings);
        if (!connection)
            return connection.error();
        const auto id = operations::stageMessage(**connection, *request);
        if (!id)
            return failureOf(id.error(), context.storeName());
        if (context.json())
            context.out().line(JsonObject().add("id", toText(*id)).text());
        else
            context.out().line(toText(*id));
        return ExitCode::ok;
    }

private:
    Result<operations::StageRequest, Failure> readRequest() const
    {
        operations::StageRequest request;
        request.type = QString::fromStdString(type_);
        request.version = version_;
        request.eventRecord = given(eventRecord_);
        request.kind = given(kind_).value_or(request.eventRecord ? QStringLiteral("integration_event")
                                                                 : QStringLiteral("provider_side_effect"));
        request.tenant = given(tenant_);
        request.occurredAt = given(occurredAt_);
        request.notBefore = given(notBefore_);
        request.orderingKey = given(orderingKey_);
        if (!id_.empty()) {
            const auto id = parseId(id_);
            if (!id)
                return id.error();
            request.id = *id;
        }
        auto headers = headersOf(headers_);
        if (!headers)
            return headers.error();
        request.headers = *headers;
        auto payload = readPayload(payload_);
        if (!payload)
            return payload.error();
        request.payload = *payload;
        return request;
    }

    std::string payload_ = "-";
    std::string type_;
    std::string kind_;
    std::string eventRecord_;
    std::string tenant_;
    std::string id_;
    std::string occurredAt_;
    std::string notBefore_;
    std::string orderingKey_;
    std::vector<std::string> headers_;
    int version_ = 1;
};

} // namespace

std::unique_ptr<Command> makeStage() { return std::make_unique<Stage>(); }

} // namespace outbox::cli
