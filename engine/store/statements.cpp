// SPDX-License-Identifier: Apache-2.0
#include "store/statements.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>

namespace outbox::store {

namespace {

QString readResource(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the statement %s is not compiled in", qPrintable(path));
    return QString::fromUtf8(file.readAll());
}

} // namespace

QString statementText(const char *name)
{
    // Without the comments: QtSql looks for placeholders and quotes in them, too.
    const QStringList lines =
        readResource(QStringLiteral(":/outbox/store/sql/%1.sql").arg(QLatin1String(name))).split(QLatin1Char('\n'));
    QStringList kept;
    for (const auto &line : lines)
        if (!line.trimmed().startsWith(QLatin1String("--")))
            kept << line;
    return kept.join(QLatin1Char('\n')).trimmed();
}

QStringList statementNames()
{
    QStringList names = QDir(QStringLiteral(":/outbox/store/sql")).entryList({QStringLiteral("*.sql")});
    for (auto &name : names)
        name.chop(4);
    names.sort();
    return names;
}

namespace {

QList<Migration> readMigrations()
{
    QStringList files = QDir(QStringLiteral(":/outbox/store/migrations")).entryList({QStringLiteral("*.sql")});
    files.sort();
    QList<Migration> all;
    for (const auto &file : std::as_const(files)) {
        const QString text = readResource(QStringLiteral(":/outbox/store/migrations/") + file);
        const QByteArray hash = QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256);
        all << Migration{file.left(4).toInt(), file.chopped(4), text, QString::fromLatin1(hash.toHex())};
    }
    return all;
}

} // namespace

QList<Migration> migrations()
{
    static const QList<Migration> all = readMigrations();
    return all;
}

int schemaVersion()
{
    static const int newest = migrations().constLast().version;
    return newest;
}

} // namespace outbox::store
