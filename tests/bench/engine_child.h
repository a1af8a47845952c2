// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QString>

#include <string>

namespace outbox::bench {

class Database;

/// What the child process does: drain this many records with the real worker, from the database that PGHOST
/// and so on name, to RabbitMQ, to an HTTP endpoint or to a destination in its own process.
struct ChildOrder {
    int records = 0;     ///< that must be dispatched when it comes back
    std::string amqpUrl; ///< deliver to the queue outbox-bench there
    std::string httpUrl;
    int concurrency = 0; ///< of the destination; 0: its own default
};

/// The child's main(). Prints nothing but one JSON object.
int runChild(const ChildOrder &order);

/// One drain by a worker in a process of its own.
struct EngineRun {
    double recordsPerSecond = 0; ///< by the database's clock, first claim to last outcome
    double peakMemoryMib = 0;    ///< of the worker's process, greatest resident set
};

/// Runs the child and waits until everything that is due is dispatched.
Result<EngineRun, QString> drainWithEngine(const Database &database, const ChildOrder &order);

} // namespace outbox::bench
