// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <QMap>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>

namespace outbox::servers {

/// A PostgreSQL that a test may treat badly: made for it, with a Unix socket only, durable, and gone with it.
/// One object, one thread; calls block.
class PostgresServer {
public:
    /// `settings` are further lines of postgresql.conf.
    static Result<std::unique_ptr<PostgresServer>, QString> start(const QStringList &settings = {});
    PostgresServer(const PostgresServer &) = delete;
    PostgresServer &operator=(const PostgresServer &) = delete;
    ~PostgresServer();

    /// "fast" ends the sessions and shuts down in order; "immediate" is a crash. Comes back when it is up again.
    Result<Done, QString> restart(const QString &mode);

    /// The variables that every PostgreSQL client understands, for a database of that name.
    [[nodiscard]] QMap<QString, QString> environment(const QString &database = QStringLiteral("postgres")) const;
    /// The value of --store for a database of that name.
    [[nodiscard]] QString uri(const QString &database = QStringLiteral("postgres")) const;

    /// Runs a script by psql, stopping at the first error, with psql variables; gives the rows, one a line,
    /// columns parted by "|".
    Result<QByteArray, QString> script(const QString &file, const QMap<QString, QString> &variables = {},
                                       const QString &database = QStringLiteral("postgres")) const;

private:
    PostgresServer();
    Result<Done, QString> begin(const QStringList &settings);
    Result<Done, QString> control(const QStringList &arguments) const;

    QTemporaryDir folder_;
    QString account_;
    bool up_ = false;
};

/// psql with these variables in its environment, as PostgresServer::script() does.
Result<QByteArray, QString> psql(const QString &file, const QMap<QString, QString> &variables,
                                 const QMap<QString, QString> &environment);

/// The folder with initdb and pg_ctl; empty when no PostgreSQL server is installed.
QString postgresPrograms();

} // namespace outbox::servers
