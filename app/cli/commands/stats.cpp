// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"
#include "cli/failures.h"
#include "cli/json_object.h"
#include "operations/overview.h"

namespace outbox::cli {

namespace {

std::optional<double> secondsOf(const std::optional<milliseconds> &span)
{
    if (!span)
        return std::nullopt;
    return static_cast<double>(span->count()) / 1000.0;
}

void printJson(Output &out, const api::Overview &seen)
{
    out.line(JsonObject()
                 .add("at", isoTime(seen.at))
                 .add("pending", seen.pending.value)
                 .add("processing", seen.processing.value)
                 .add("dead_letter", seen.deadLetters.value)
                 .add("dispatched", seen.dispatchedTotal)
                 .addSeconds("oldest_pending_age_seconds", secondsOf(seen.oldestPendingAge))
                 .addText("oldest_pending_type", seen.oldestPendingType)
                 .add("retried_total", seen.retriedTotal)
                 .add("dead_total", seen.deadTotal)
                 .add("refused_total", seen.refusedTotal)
                 .text());
}

void printTable(Output &out, const api::Overview &seen)
{
    Table table({QStringLiteral("WHAT"), QStringLiteral("COUNT")});
    table.add({QStringLiteral("pending"), QString::number(seen.pending.value)});
    table.add({QStringLiteral("processing"), QString::number(seen.processing.value)});
    table.add({QStringLiteral("dead letters"), QString::number(seen.deadLetters.value)});
    table.add({QStringLiteral("dispatched, in all"), QString::number(seen.dispatchedTotal)});
    table.add({QStringLiteral("attempts retried, in all"), QString::number(seen.retriedTotal)});
    table.add({QStringLiteral("late outcomes refused"), QString::number(seen.refusedTotal)});
    table.print(out);
    if (seen.oldestPendingAge)
        out.line(QStringLiteral("The oldest pending record, %1, has been due for %2.")
                     .arg(oneLine(seen.oldestPendingType), durationText(*seen.oldestPendingAge)));
    else
        out.line(QStringLiteral("Nothing is due."));
}

class Stats final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("stats", "Print how many records are in which state");
        command.footer("Counts every record, so a backlog of many millions takes a while. JSON members: at, pending,\n"
                       "processing, dead_letter, dispatched (in all, since the store was made),\n"
                       "oldest_pending_age_seconds (null: nothing is due), oldest_pending_type, retried_total,\n"
                       "dead_total, refused_total.");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        store::ConnectionSettings settings;
        settings.purpose = QStringLiteral("outbox-stats");
        settings.statementTimeout = milliseconds(0);
        const auto connection = context.connect(settings);
        if (!connection)
            return connection.error();
        const auto seen = operations::overview(**connection, operations::Counting::exact);
        if (!seen)
            return failureOf(seen.error(), context.storeName());
        if (context.json())
            printJson(context.out(), *seen);
        else
            printTable(context.out(), *seen);
        return ExitCode::ok;
    }
};

} // namespace

std::unique_ptr<Command> makeStats() { return std::make_unique<Stats>(); }

} // namespace outbox::cli
