// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/log.h"
#include "cli/command.h"
#include "cli/failures.h"

#include <CLI/CLI.hpp>

#include <QCoreApplication>

#include <csignal>
#include <cstdio>

namespace {

using namespace outbox::cli;

const char *const footer = R"(Examples:
  outbox --store postgresql:///orders migrate
  echo '{"order": 7}' | outbox --store postgresql:///orders stage --type orders.placed
  outbox --config outbox.yaml run
  outbox --store embedded stats --json
  outbox list --state dead_letter --json | jq -r .id | outbox replay - --reason "endpoint repaired"

The store is a postgresql:// address, a libpq "key=value ..." text, or embedded[:FOLDER], a private PostgreSQL that
runs while the program runs. Keep passwords out of it: PGPASSWORD, PGPASSFILE and ~/.pgpass are honoured.
It is taken from --store, else from the variable OUTBOX_STORE, else from `store:` of the settings file.

Options of the program may stand before or after the command. `outbox COMMAND --help` tells of a command's own.

Exit codes:
  0    done
  1    doctor found problems; replay was refused for some ids; a demo message went astray
  2    wrong usage, settings file, specification, id or payload
  3    the store cannot be used, or it is unknown whether a change was made
  4    the schema is missing, older or newer than this program
  5    no such record
  130, 143  ended by SIGINT or SIGTERM before the work was done
  141  whoever read the output went away)";

int say(const Failure &failure)
{
    const auto text = withoutPasswords(failure.text).trimmed().toUtf8();
    for (const auto &line : text.split('\n'))
        std::fprintf(stderr, "outbox: %s\n", line.constData());
    return static_cast<int>(failure.code);
}

/// One sentence of what the parser says. A word that is no command is named, which the parser does not do.
Failure usage(const CLI::App &program, const CLI::ParseError &error)
{
    if (program.get_subcommands().empty() && !program.remaining().empty())
        return {ExitCode::bad_input, QStringLiteral("\"%1\" is no command of this program; see `outbox --help`")
                                         .arg(QString::fromStdString(program.remaining().front()))};
    return {ExitCode::bad_input,
            QString::fromUtf8(error.what()).simplified() + QStringLiteral("; see `outbox --help`")};
}

} // namespace

int main(int argc, char **argv)
{
    // A reader that went away is told by the write itself.
    std::signal(SIGPIPE, SIG_IGN);
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("outbox"));
    QCoreApplication::setApplicationVersion(QStringLiteral(OUTBOX_VERSION));
    outbox::log::toStandardError(outbox::log::Level::warning);

    CLI::App program("Stages messages in PostgreSQL transactions, delivers them, and shows what became of them.",
                     "outbox");
    GlobalOptions options;
    program.add_option("--store", options.store, "The store: URI or embedded[:FOLDER]")->type_name("STORE");
    program.add_option("--config", options.config, "The settings file (YAML)")->type_name("FILE");
    program.add_flag("--json", options.json, "Print JSON: one object, or one a line");
    program.set_version_flag("--version", "outbox " OUTBOX_VERSION, "Print the version and leave");
    program.footer(footer);
    program.require_subcommand(1);
    program.fallthrough();

    const auto commands = allCommands();
    std::vector<Arguments> declared;
    for (const auto &command : commands)
        declared.push_back(command->declare(Arguments(&program)));
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0)
            return program.exit(error);
        return say(usage(program, error));
    }

    Context context(options);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!declared[i].given())
            continue;
        const auto done = commands[i]->run(context);
        context.out().flush();
        if (!done)
            return say(done.error());
        return static_cast<int>(context.out().broken() ? ExitCode::broken_pipe : *done);
    }
    return static_cast<int>(ExitCode::bad_input);
}
