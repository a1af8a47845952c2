// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "store/store_address.h"

#include <QByteArray>
#include <QMap>
#include <QString>

namespace outbox::servers {

/// PGHOST and so on: what psql, pgbench, node and QtSql understand alike.
QMap<QString, QString> clientEnvironment(const store::ServerAddress &address);

/// Runs a file of SQL by psql, stopping at the first error, with psql variables. Gives the rows, one a line,
/// columns parted by "|".
Result<QByteArray, QString> psql(const store::ServerAddress &address, const QString &file,
                                 const QMap<QString, QString> &variables = {});

} // namespace outbox::servers
