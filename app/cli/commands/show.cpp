// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"
#include "cli/failures.h"
#include "cli/record_text.h"
#include "operations/record_detail.h"

namespace outbox::cli {

namespace {

QString causeText(FailureCause cause)
{
    const auto name = causeName(cause);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QString kindText(const MessageKind &kind)
{
    const auto name = kindName(kind);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QString eventRecordOf(const MessageKind &kind)
{
    const auto *event = std::get_if<IntegrationEvent>(&kind);
    return event == nullptr ? QString() : event->eventRecord;
}

JsonObject jsonOf(const api::RecordDetail &record)
{
    JsonObject headers;
    for (const auto &[name, value] : record.message.headers) {
        const QByteArray quoted = jsonString(name);
        headers.raw(quoted.mid(1, quoted.size() - 2).constData(), jsonString(value));
    }
    QList<JsonObject> attempts;
    for (const auto &each : record.attempts)
        attempts << JsonObject()
                        .add("number", each.number)
                        .add("started_at", isoTime(each.startedAt))
                        .add("ended_at", isoTime(each.endedAt))
                        .addText("worker", each.worker)
                        .add("cause", causeText(each.cause))
                        .add("summary", each.summary);
    QList<JsonObject> replays;
    for (const auto &each : record.replays)
        replays << JsonObject()
                       .add("at", isoTime(each.at))
                       .add("actor", each.actor)
                       .add("reason", each.reason)
                       .add("cause", causeText(each.cause))
                       .add("failure", each.failure);
    JsonObject object;
    object.add("id", toText(record.message.id))
        .add("kind", kindText(record.message.kind))
        .addText("event_record", eventRecordOf(record.message.kind))
        .add("type", record.message.type.value())
        .add("schema_version", record.message.version.value())
        .addText("tenant", record.message.tenant)
        .addText("destination", record.destination)
        .add("occurred_at", isoTime(record.message.occurredAt))
        .add("staged_at", isoTime(record.stagedAt));
    addState(object, record.state);
    object.addText("worker", record.worker)
        .add("failed_attempts", attempts)
        .add("replays", replays)
        .add("headers", headers)
        .raw("payload", record.message.payload);
    return object;
}

void printText(Output &out, const api::RecordDetail &record)
{
    const auto say = [&](const QString &name, const QString &value) {
        if (!value.isEmpty())
            out.line(name.leftJustified(13) + oneLine(value));
    };
    say(QStringLiteral("Record"), toText(record.message.id));
    say(QStringLiteral("State"), QStringLiteral("%1, %2").arg(stateText(record.state), stateDetail(record.state)));
    say(QStringLiteral("Attempts"), QString::number(attemptsOf(record.state)));
    say(QStringLiteral("Worker"), record.worker);
    say(QStringLiteral("Type"),
        QStringLiteral("%1 v%2").arg(record.message.type.value()).arg(record.message.version.value()));
    say(QStringLiteral("Kind"), kindText(record.message.kind));
    say(QStringLiteral("Event record"), eventRecordOf(record.message.kind));
    say(QStringLiteral("Tenant"), record.message.tenant);
    say(QStringLiteral("Destination"),
        record.destination.isEmpty() ? QStringLiteral("none: no route leads its type anywhere") : record.destination);
    say(QStringLiteral("Occurred"), shortTime(record.message.occurredAt));
    say(QStringLiteral("Staged"), shortTime(record.stagedAt));
    for (const auto &[name, value] : record.message.headers)
        say(QStringLiteral("Header"), name + QStringLiteral(": ") + value);
    if (!record.attempts.isEmpty()) {
        out.line(QString());
        Table table({QStringLiteral("ATTEMPT"), QStringLiteral("ENDED"), QStringLiteral("WORKER"),
                     QStringLiteral("CAUSE"), QStringLiteral("SUMMARY")});
        for (const auto &each : record.attempts)
            table.add({QString::number(each.number), shortTime(each.endedAt), oneLine(each.worker),
                       causeText(each.cause), oneLine(each.summary)});
        table.print(out);
    }
    if (!record.replays.isEmpty()) {
        out.line(QString());
        Table table(
            {QStringLiteral("REPLAYED"), QStringLiteral("BY"), QStringLiteral("AFTER"), QStringLiteral("REASON")});
        for (const auto &each : record.replays)
            table.add({shortTime(each.at), oneLine(each.actor), causeText(each.cause), oneLine(each.reason)});
        table.print(out);
    }
    out.line(QString());
    out.line(record.message.payload);
}

class Show final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("show", "Show one record: payload, state, failed attempts, replays");
        command.option("ID", id_, "The record's id").required();
        command.footer("The payload is printed as the very text that was staged. JSON members: those of `list`, and\n"
                       "event_record, occurred_at, worker, failed_attempts, replays, headers, payload.");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        const auto id = parseId(id_);
        if (!id)
            return id.error();
        store::ConnectionSettings settings;
        settings.purpose = QStringLiteral("outbox-show");
        const auto connection = context.connect(settings);
        if (!connection)
            return connection.error();
        const auto record = operations::recordDetail(**connection, *id);
        if (!record)
            return failureOf(record.error(), context.storeName());
        if (!record->has_value())
            return Failure{ExitCode::not_found, QStringLiteral("there is no record %1 in %2; `outbox list` shows which "
                                                               "there are")
                                                    .arg(toText(*id), context.storeName())};
        if (context.json())
            context.out().line(jsonOf(**record).text());
        else
            printText(context.out(), **record);
        return ExitCode::ok;
    }

private:
    std::string id_;
};

} // namespace

std::unique_ptr<Command> makeShow() { return std::make_unique<Show>(); }

} // namespace outbox::cli
