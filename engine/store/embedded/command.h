// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "store/embedded/account.h"

#include <QString>
#include <QStringList>

namespace outbox::store::embedded {

/// How a program ended.
struct Ran {
    bool ok = false;
    QString output; ///< both streams, the last lines, or why it could not run
};

/// Runs a program as the account, in `folder`, and waits for its end; kills it at the deadline. What it
/// makes is closed to others. No PG* variable of ours reaches it, and it speaks English.
Ran runAs(const Account &account, const QString &program, const QStringList &arguments, const QString &folder,
          const Deadline &deadline);

/// At least one.
int millisecondsLeft(const Deadline &deadline);
/// The last `count` lines as one line.
QString lastLines(const QString &text, int count);

} // namespace outbox::store::embedded
