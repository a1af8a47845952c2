// SPDX-License-Identifier: Apache-2.0
#include "servers/postgres_server.h"

#include "servers/program.h"

#include <QDir>
#include <QFile>

namespace outbox::servers {

using namespace Qt::StringLiterals;

QString postgresPrograms()
{
    QDir versions(u"/usr/lib/postgresql"_s);
    auto found = versions.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::Reversed);
    for (const auto &version : found) {
        if (QFile::exists(versions.filePath(version + u"/bin/initdb"_s))) {
            return versions.filePath(version + u"/bin"_s);
        }
    }
    return {};
}

Result<QByteArray, QString> psql(const QString &file, const QMap<QString, QString> &variables,
                                 const QMap<QString, QString> &environment)
{
    QStringList arguments{u"-XqAt"_s, u"-v"_s, u"ON_ERROR_STOP=1"_s};
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        arguments << u"-v"_s << it.key() + u'=' + it.value();
    }
    arguments << u"-f"_s << file;
    return run({.program = u"psql"_s, .arguments = arguments, .environment = environment});
}

PostgresServer::PostgresServer() : account_(unprivilegedAccount()) {}

Result<std::unique_ptr<PostgresServer>, QString> PostgresServer::start(const QStringList &settings)
{
    auto server = std::unique_ptr<PostgresServer>(new PostgresServer);
    auto begun = server->begin(settings);
    if (!begun) {
        return begun.error();
    }
    return server;
}

Result<Done, QString> PostgresServer::begin(const QStringList &settings)
{
    if (postgresPrograms().isEmpty()) {
        return u"no PostgreSQL server is installed (Debian package postgresql)"_s;
    }
    if (auto given = giveTo(account_, folder_.path()); !given) {
        return given;
    }
    const auto data = folder_.filePath(u"data"_s);
    auto made = run(as(account_, {.program = postgresPrograms() + u"/initdb"_s,
                                  .arguments = {u"-D"_s, data, u"-U"_s, u"postgres"_s, u"-A"_s, u"trust"_s, u"-E"_s,
                                                u"UTF8"_s, u"--locale=C.UTF-8"_s},
                                  .folder = u"/"_s}));
    if (!made) {
        return made.error();
    }
    QFile configuration(data + u"/postgresql.conf"_s);
    if (!configuration.open(QIODevice::Append)) {
        return u"%1 cannot be written"_s.arg(configuration.fileName());
    }
    const QStringList lines{u"listen_addresses = ''"_s, u"unix_socket_directories = '%1'"_s.arg(folder_.path()),
                            u"timezone = 'UTC'"_s, u"logging_collector = off"_s};
    configuration.write((lines + settings).join(u'\n').toUtf8() + '\n');
    configuration.close();
    auto begun = control({u"start"_s});
    up_ = begun.ok();
    return begun;
}

Result<Done, QString> PostgresServer::control(const QStringList &arguments) const
{
    auto done = run(as(account_, {.program = postgresPrograms() + u"/pg_ctl"_s,
                                  .arguments = QStringList{u"-D"_s, folder_.filePath(u"data"_s), u"-l"_s,
                                                           folder_.filePath(u"log"_s), u"-t"_s, u"120"_s, u"-w"_s} +
                                               arguments,
                                  .folder = u"/"_s}));
    if (!done) {
        QFile log(folder_.filePath(u"log"_s));
        const auto last = log.open(QIODevice::ReadOnly) ? QString::fromUtf8(log.readAll().right(1000)) : QString();
        return done.error() + u'\n' + last;
    }
    return Done{};
}

Result<Done, QString> PostgresServer::restart(const QString &mode) { return control({u"restart"_s, u"-m"_s, mode}); }

PostgresServer::~PostgresServer()
{
    if (up_) {
        // Nothing to be done about a failure here: the folder goes away anyhow.
        [[maybe_unused]] const auto stopped = control({u"stop"_s, u"-m"_s, u"fast"_s});
    }
}

QMap<QString, QString> PostgresServer::environment(const QString &database) const
{
    return {{u"PGHOST"_s, folder_.path()}, {u"PGUSER"_s, u"postgres"_s}, {u"PGDATABASE"_s, database}};
}

QString PostgresServer::uri(const QString &database) const
{
    return u"host=%1 user=postgres dbname=%2"_s.arg(folder_.path(), database);
}

Result<QByteArray, QString> PostgresServer::script(const QString &file, const QMap<QString, QString> &variables,
                                                   const QString &database) const
{
    return psql(file, variables, environment(database));
}

} // namespace outbox::servers
