// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"
#include "cli/failures.h"
#include "cli/json_object.h"

namespace outbox::cli {

namespace {

class Migrate final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("migrate", "Make the schema, or bring it up to this program's version");
        command.footer(
            "Needs a login that may create a schema and roles, once for each database: its owner with the "
            "right CREATEROLE,\nor a superuser. Running it again changes nothing. Several may run at once.\n\n"
            "Grant the four roles to your logins afterwards:\n"
            "  outbox_writer    stages messages\n"
            "  outbox_worker    claims and delivers\n"
            "  outbox_operator  looks and replays\n"
            "  outbox_viewer    looks");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        const auto server = context.server();
        if (!server)
            return server.error();
        int from = 0;
        const auto to = bringUp(*server, from);
        if (!to)
            return failureOf(to.error(), context.storeName());
        if (context.json())
            context.out().line(JsonObject().add("from", from).add("to", *to).text());
        else if (from == *to)
            context.out().line(QStringLiteral("The schema is at version %1; nothing to do.").arg(*to));
        else if (from == 0)
            context.out().line(QStringLiteral("Made the schema \"outbox\" at version %1.").arg(*to));
        else
            context.out().line(QStringLiteral("Brought the schema from version %1 to %2.").arg(from).arg(*to));
        return ExitCode::ok;
    }
};

} // namespace

std::unique_ptr<Command> makeMigrate() { return std::make_unique<Migrate>(); }

} // namespace outbox::cli
