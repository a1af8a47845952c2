// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QString>

namespace outbox::bench {

class Database;

/// Makes graphile-worker's schema in the database. Installs the peer by its lock file the first time, which
/// needs npm and its registry.
Result<Done, QString> installGraphileWorker(const Database &database);

struct PeerRun {
    double recordsPerSecond = 0;
    double memoryMib = 0;
    QString mode; ///< which of its settings were the fastest in this run
};

/// Drains that many no-op jobs with one graphile-worker in each of its two fastest modes; the faster counts.
Result<PeerRun, QString> drainGraphileWorker(const Database &database, int jobs);

} // namespace outbox::bench
