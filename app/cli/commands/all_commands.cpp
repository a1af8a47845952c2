// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

namespace outbox::cli {

std::vector<std::unique_ptr<Command>> allCommands()
{
    std::vector<std::unique_ptr<Command>> all;
    for (const auto make : {makeMigrate, makeRun, makeDrain, makeStage, makeStats, makeList, makeShow, makeReplay,
                            makeSpec, makeDoctor, makeDemo})
        all.push_back(make());
    return all;
}

} // namespace outbox::cli
