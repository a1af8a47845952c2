// SPDX-License-Identifier: Apache-2.0
#include "store/store_address.h"

#include <QDir>
#include <QStandardPaths>
#include <QStringList>

#include <libpq-fe.h>

#include <memory>

#include <unistd.h>

namespace outbox::store {

namespace {

QString defaultEmbeddedFolder()
{
    // Root's own data folder is closed to the account that PostgreSQL has to run as.
    if (geteuid() == 0 && qEnvironmentVariableIsEmpty("XDG_DATA_HOME"))
        return QStringLiteral("/var/lib/outbox/store");
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/outbox/store");
}

/// libpq quotes the text it stumbled over, which may hold a password: then its quotes are emptied.
QString libpqKeywordsError(char *raw, const QString &text)
{
    const std::unique_ptr<char, decltype(&PQfreemem)> owned(raw, PQfreemem);
    if (raw == nullptr)
        return QStringLiteral("not a PostgreSQL address");
    const QString said = QString::fromUtf8(raw).trimmed();
    if (!text.contains(QLatin1Char('@')) && !text.contains(QLatin1String("pass"), Qt::CaseInsensitive))
        return said;
    const qsizetype first = said.indexOf(QLatin1Char('"'));
    const qsizetype last = said.lastIndexOf(QLatin1Char('"'));
    if (first < 0)
        return said;
    // From the first quote to the last one: the quoted text may hold quotes itself.
    return said.left(first) + QStringLiteral("\"...\"") + (last > first ? said.mid(last + 1) : QString());
}

} // namespace

Result<StoreAddress, QString> parseStoreAddress(const QString &text)
{
    const QString trimmed = text.trimmed();
    if (trimmed == QLatin1String("embedded"))
        return StoreAddress(EmbeddedAddress{defaultEmbeddedFolder()});
    if (trimmed.startsWith(QLatin1String("embedded:"))) {
        const QString folder = trimmed.mid(9);
        if (folder.isEmpty())
            return QStringLiteral("the embedded store's folder is missing after \"embedded:\"");
        return StoreAddress(EmbeddedAddress{QDir::cleanPath(QDir::current().absoluteFilePath(folder))});
    }
    if (trimmed.isEmpty())
        return QStringLiteral("the store is missing: give a postgresql:// address or \"embedded\"");
    if (!trimmed.contains(QLatin1Char('=')) && !trimmed.startsWith(QLatin1String("postgres")))
        return QStringLiteral("\"%1\" is neither a postgresql:// address, a libpq \"key=value\" text nor \"embedded\"")
            .arg(trimmed.contains(QLatin1Char('@')) ? QStringLiteral("...") : trimmed);

    char *message = nullptr;
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(
        PQconninfoParse(trimmed.toUtf8().constData(), &message), PQconninfoFree);
    if (!parsed)
        return libpqKeywordsError(message, trimmed);

    ServerAddress address;
    QStringList options;
    for (const auto *option = parsed.get(); option->keyword != nullptr; ++option) {
        if (option->val == nullptr)
            continue;
        const QString key = QString::fromUtf8(option->keyword);
        const QString value = QString::fromUtf8(option->val);
        if (key == QLatin1String("host"))
            address.host = value;
        else if (key == QLatin1String("port")) {
            address.port = value.toInt();
            if (address.port < 1 || address.port > 65535)
                return QStringLiteral("the port \"%1\" is not a number from 1 to 65535").arg(value);
        } else if (key == QLatin1String("dbname"))
            address.database = value;
        else if (key == QLatin1String("user"))
            address.user = value;
        else if (key == QLatin1String("password"))
            address.password = value;
        else
            options << QStringLiteral("%1='%2'").arg(key, QString(value)
                                                              .replace(QLatin1Char('\\'), QLatin1String("\\\\"))
                                                              .replace(QLatin1Char('\''), QLatin1String("\\'")));
    }
    address.options = options.join(QLatin1Char(';'));
    return StoreAddress(address);
}

QString displayName(const StoreAddress &address)
{
    return std::visit(
        overload{
            [](const ServerAddress &server) {
                const QString database = server.database.isEmpty() ? QStringLiteral("default") : server.database;
                const QString host = server.host.isEmpty() || server.host.startsWith(QLatin1Char('/'))
                                         ? QStringLiteral("local")
                                         : server.host;
                return QStringLiteral("%1 @ %2").arg(database, host);
            },
            [](const EmbeddedAddress &embedded) { return QStringLiteral("embedded @ %1").arg(embedded.folder); },
        },
        address);
}

} // namespace outbox::store
