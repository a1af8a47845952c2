// SPDX-License-Identifier: Apache-2.0
#include "store/embedded/configuration.h"

namespace outbox::store::embedded {

namespace {

QString quoted(const QString &value)
{
    QString text = value;
    text.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('\''), QLatin1String("''"));
    return QLatin1Char('\'') + text + QLatin1Char('\'');
}

} // namespace

QByteArray configurationText(const QString &socketFolder, int port, bool durable, const QStringList &extra)
{
    QString list = socketFolder;
    list.replace(QLatin1Char('"'), QLatin1String("\"\""));
    QStringList lines{
        QStringLiteral("# Written anew at every start by the program that owns this store."),
        QStringLiteral("listen_addresses = ''"),
        QStringLiteral("port = %1").arg(port),
        QStringLiteral("unix_socket_directories = %1").arg(quoted(QLatin1Char('"') + list + QLatin1Char('"'))),
        QStringLiteral("unix_socket_permissions = 0700"),
        QStringLiteral("timezone = 'UTC'"),
        QStringLiteral("log_timezone = 'UTC'"),
        QStringLiteral("lc_messages = 'C'"),
        QStringLiteral("datestyle = 'iso, ymd'"),
        QStringLiteral("max_connections = 100"),
        QStringLiteral("shared_buffers = 128MB"),
        QStringLiteral("dynamic_shared_memory_type = posix"),
        QStringLiteral("max_wal_size = 1GB"),
        QStringLiteral("wal_level = replica"),
        // The log is for trouble; a message's payload must never get into it.
        QStringLiteral("logging_collector = off"),
        QStringLiteral("log_checkpoints = off"),
        QStringLiteral("log_min_error_statement = panic"),
        QStringLiteral("log_error_verbosity = terse"),
    };
    if (!durable) // survives a killed server, not a crash of the machine
        lines << QStringLiteral("fsync = off") << QStringLiteral("full_page_writes = off");
    lines += extra;
    return lines.join(QLatin1Char('\n')).toUtf8() + '\n';
}

} // namespace outbox::store::embedded
