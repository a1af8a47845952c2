// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace outbox::cli {

/// What the program tells its caller; written in --help, too, and never changed.
enum class ExitCode : int {
    ok = 0,
    problems = 1,    ///< doctor found problems, replay was refused for some, a demo message went astray
    bad_input = 2,   ///< wrong usage, settings file, specification, id, payload
    unavailable = 3, ///< the store cannot be used, or it is unknown whether a change was made
    schema = 4,      ///< the schema is missing, older or newer than this program
    not_found = 5,
    interrupted = 130, ///< SIGINT before the work was done
    terminated = 143,  ///< SIGTERM before the work was done
    broken_pipe = 141,
};

/// Why a command could not do its work: one sentence for standard error.
struct Failure {
    ExitCode code = ExitCode::bad_input;
    QString text;
};

} // namespace outbox::cli
