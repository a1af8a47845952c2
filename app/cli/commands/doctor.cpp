// SPDX-License-Identifier: GPL-3.0-or-later
#include "operations/doctor.h"

#include "cli/command.h"
#include "cli/failures.h"
#include "cli/json_object.h"

namespace outbox::cli {

namespace {

using Level = api::DoctorCheck::Level;

QString levelText(Level level)
{
    switch (level) {
    case Level::ok: return QStringLiteral("ok");
    case Level::warning: return QStringLiteral("warning");
    case Level::problem: return QStringLiteral("problem");
    }
    return {};
}

void printJson(Output &out, const api::DoctorReport &report, bool healthy)
{
    QList<JsonObject> checks;
    for (const auto &check : report.checks)
        checks << JsonObject()
                      .add("name", check.name)
                      .add("level", levelText(check.level))
                      .add("text", check.text)
                      .addText("hint", check.hint);
    out.line(JsonObject().add("healthy", healthy).add("role", report.role).add("checks", checks).text());
}

void printTable(Output &out, const api::DoctorReport &report, bool healthy)
{
    Table table({QStringLiteral("CHECK"), QStringLiteral("LEVEL"), QStringLiteral("FOUND")});
    for (const auto &check : report.checks) {
        table.add({check.name, levelText(check.level), oneLine(check.text)});
        if (!check.hint.isEmpty())
            table.add({QString(), QString(), QStringLiteral("-> ") + check.hint});
    }
    table.print(out);
    out.line(healthy ? QStringLiteral("No problems.") : QStringLiteral("There are problems."));
}

class Doctor final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("doctor", "Check that the store is whole, and what hinders it");
        command.footer(
            "Looks at: roles, versions, clock, autovacuum, durability, states (every message in exactly one),\n"
            "leases, routes, workers, partitions, snapshot (what keeps the server from cleaning up), specifications.\n"
            "Changes nothing; reads every record, so it takes seconds for each few million. Exit 1 when\n"
            "there is a problem; warnings alone exit 0. JSON members: healthy, role, checks (name, level,\n"
            "text, hint).");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        store::ConnectionSettings settings;
        settings.purpose = QStringLiteral("outbox-doctor");
        settings.statementTimeout = milliseconds(0);
        const auto connection = context.connect(settings);
        if (!connection)
            return connection.error();
        const auto now = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
        const auto report = operations::doctor(**connection, {QStringLiteral(OUTBOX_VERSION), now});
        if (!report)
            return failureOf(report.error(), context.storeName());
        bool healthy = true;
        for (const auto &check : report->checks)
            healthy = healthy && check.level != Level::problem;
        if (context.json())
            printJson(context.out(), *report, healthy);
        else
            printTable(context.out(), *report, healthy);
        return healthy ? ExitCode::ok : ExitCode::problems;
    }
};

} // namespace

std::unique_ptr<Command> makeDoctor() { return std::make_unique<Doctor>(); }

} // namespace outbox::cli
