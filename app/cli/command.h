// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/arguments.h"
#include "cli/context.h"

#include <memory>
#include <vector>

namespace outbox::cli {

/// One command of the program.
class Command {
public:
    Command() = default;
    Command(const Command &) = delete;
    Command &operator=(const Command &) = delete;
    virtual ~Command() = default;

    /// Adds the command with its options and help to the program, and remembers where.
    virtual Arguments declare(Arguments program) = 0;
    /// Does it. The options have been read.
    virtual Result<ExitCode, Failure> run(Context &context) = 0;
};

/// Every command, in the order of --help. One file each in cli/commands.
std::vector<std::unique_ptr<Command>> allCommands();

std::unique_ptr<Command> makeMigrate();
std::unique_ptr<Command> makeRun();
std::unique_ptr<Command> makeDrain();
std::unique_ptr<Command> makeStage();
std::unique_ptr<Command> makeStats();
std::unique_ptr<Command> makeList();
std::unique_ptr<Command> makeShow();
std::unique_ptr<Command> makeReplay();
std::unique_ptr<Command> makeSpec();
std::unique_ptr<Command> makeDoctor();
std::unique_ptr<Command> makeDemo();

} // namespace outbox::cli
