// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace outbox::store::embedded {

/// The text of the private PostgreSQL's postgresql.conf: a socket in `socketFolder` and no network port, UTC,
/// a log that never holds a payload. `extra` lines come last and win.
QByteArray configurationText(const QString &socketFolder, int port, bool durable, const QStringList &extra);

} // namespace outbox::store::embedded
