// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace outbox::servers {

/// A program to run, and what is different in its environment and folder.
struct Command {
    QString program;
    QStringList arguments;
    QMap<QString, QString> environment = {};
    QString folder = {};
    milliseconds limit = std::chrono::minutes{30};
};

/// Runs it to its end and gives what it wrote to standard output. The error is a sentence with what it
/// wrote to standard error. Blocks.
Result<QByteArray, QString> run(const Command &command);

/// A TCP port of this machine that is free at the moment.
int freePort();

} // namespace outbox::servers
