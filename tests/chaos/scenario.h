// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"

#include <QString>

#include <vector>

namespace outbox::chaos {

/// What is done to the system, and for how long.
struct Scenario {
    seconds staging{60};       ///< how long the application stages
    int clients = 8;           ///< of the application
    int workers = 2;           ///< `outbox run` processes
    milliseconds killEvery{0}; ///< SIGKILL to a random worker; 0: never
    int restarts = 0;          ///< of PostgreSQL, spread evenly, crashes and orderly ones in turn
    QString outbox;            ///< the program
    quint32 seed = 1;          ///< which worker is killed
};

/// Something that we did at a moment, in milliseconds since 1970.
struct Kill {
    qint64 pid = 0;
    qint64 at = 0;
};
struct Restart {
    QString mode;
    qint64 from = 0;
    qint64 to = 0;
};

/// Everything that may excuse a duplicate.
struct Faults {
    std::vector<Kill> kills;
    std::vector<Restart> restarts;
};

} // namespace outbox::chaos
