// SPDX-License-Identifier: Apache-2.0
#include "store/embedded/cluster.h"

#include "store/embedded/configuration.h"
#include "store/embedded/process_table.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <thread>

#include <locale.h>
#include <unistd.h>

namespace outbox::store::embedded {

namespace {

constexpr int port = 5432; // names the socket only; no network port is opened
constexpr qsizetype longestSocketPath = 107;
constexpr qint64 longestLog = 4 * 1024 * 1024;

// Not called like the schema: a schema of the user's own name comes first in the search path.
const auto owner = QStringLiteral("postgres");
const auto database = QStringLiteral("outbox");

QString secondsLeft(const Deadline &deadline)
{
    return QString::number(std::max(1, millisecondsLeft(deadline) / 1000));
}

bool hasUtf8Locale()
{
    // LC_CTYPE only: it decides upper and lower case; sorting stays by code point either way.
    locale_t made = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (made == nullptr)
        return false;
    freelocale(made);
    return true;
}

bool fits(const QString &socketFolder)
{
    return QFile::encodeName(QStringLiteral("%1/.s.PGSQL.%2").arg(socketFolder).arg(port)).size() <= longestSocketPath;
}

} // namespace

Cluster::Cluster(QString folder, Account account, Binaries binaries)
    : folder_(std::move(folder)), account_(std::move(account)), binaries_(std::move(binaries))
{
}

QString Cluster::dataFolder() const { return folder_ + QStringLiteral("/data"); }

QString Cluster::pidFile() const { return dataFolder() + QStringLiteral("/postmaster.pid"); }

QString Cluster::logFile() const { return folder_ + QStringLiteral("/server.log"); }

std::optional<int> Cluster::dataMajor(const QString &folder)
{
    QFile version(folder + QStringLiteral("/data/PG_VERSION"));
    if (!version.open(QIODevice::ReadOnly))
        return std::nullopt;
    return QString::fromLatin1(version.readAll()).trimmed().section(QLatin1Char('.'), 0, 0).toInt();
}

bool Cluster::exists() const { return dataMajor(folder_).has_value(); }

std::optional<QString> Cluster::create(bool durable, const Deadline &deadline) const
{
    const QString partial = folder_ + QStringLiteral("/data.partial");
    if (!QDir(partial).removeRecursively())
        return QStringLiteral("what an interrupted start left in %1 cannot be removed").arg(partial);
    QStringList arguments{QStringLiteral("--pgdata"),        partial,
                          QStringLiteral("--username"),      owner,
                          QStringLiteral("--encoding"),      QStringLiteral("UTF8"),
                          QStringLiteral("--locale"),        QStringLiteral("C"),
                          QStringLiteral("--auth-local"),    QStringLiteral("trust"),
                          QStringLiteral("--auth-host"),     QStringLiteral("reject"),
                          QStringLiteral("--data-checksums")};
    if (hasUtf8Locale())
        arguments << QStringLiteral("--lc-ctype") << QStringLiteral("C.UTF-8");
    if (!durable)
        arguments << QStringLiteral("--no-sync");
    const Ran made = run(QStringLiteral("initdb"), arguments, deadline);
    if (!made.ok)
        return QStringLiteral("initdb could not make the data in %1: %2").arg(folder_, made.output);
    if (!QDir().rename(partial, dataFolder()))
        return QStringLiteral("%1 cannot be renamed to %2").arg(partial, dataFolder());
    return std::nullopt;
}

QString Cluster::socketFolder() const
{
    const QString inside = folder_ + QStringLiteral("/run");
    if (fits(inside))
        return inside;
    const auto digest = QCryptographicHash::hash(folder_.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    const QString name = QStringLiteral("/outbox-%1-%2").arg(account_.uid).arg(QString::fromLatin1(digest));
    const QString own = account_.switched ? QString() : qEnvironmentVariable("XDG_RUNTIME_DIR");
    if (!own.isEmpty() && fits(own + name) && QFileInfo(own).isWritable())
        return own + name;
    return QStringLiteral("/tmp") + name;
}

Ran Cluster::run(const QString &program, const QStringList &arguments, const Deadline &deadline) const
{
    return runAs(account_, binaries_.program(program), arguments, folder_, deadline);
}

std::optional<QString> Cluster::configure(const QByteArray &text) const
{
    const QString path = dataFolder() + QStringLiteral("/postgresql.conf");
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return QStringLiteral("%1 cannot be written: %2").arg(path, file.errorString());
    if (account_.switched && lchown(QFile::encodeName(path).constData(), account_.uid, account_.gid) != 0)
        return QStringLiteral("%1 cannot be given to \"%2\"").arg(path, account_.name);
    return std::nullopt;
}

std::optional<QString> Cluster::start(bool durable, const QStringList &configuration, const Deadline &deadline) const
{
    const QString sockets = socketFolder();
    if (auto problem = prepareClosedFolder(sockets, account_))
        return problem;
    if (auto problem = configure(configurationText(sockets, port, durable, configuration)))
        return problem;
    if (auto problem = clearLeftovers(sockets, deadline))
        return problem;
    keepLogShort();
    const Ran started = run(QStringLiteral("pg_ctl"),
                            {QStringLiteral("start"), QStringLiteral("--pgdata"), dataFolder(), QStringLiteral("--log"),
                             logFile(), QStringLiteral("--wait"), QStringLiteral("--timeout"), secondsLeft(deadline)},
                            deadline);
    if (!started.ok)
        return QStringLiteral("PostgreSQL did not start in %1: %2; its log says: %3")
            .arg(folder_, started.output, lastLogLines());
    return std::nullopt;
}

std::optional<QString> Cluster::stop(Stop how, const Deadline &deadline) const
{
    const QString mode = how == Stop::fast ? QStringLiteral("fast") : QStringLiteral("immediate");
    const Ran stopped = run(QStringLiteral("pg_ctl"),
                            {QStringLiteral("stop"), QStringLiteral("--pgdata"), dataFolder(), QStringLiteral("--mode"),
                             mode, QStringLiteral("--wait"), QStringLiteral("--timeout"), secondsLeft(deadline)},
                            deadline);
    if (stopped.ok || !running())
        return std::nullopt;
    return QStringLiteral("PostgreSQL did not stop in %1: %2").arg(folder_, stopped.output);
}

std::optional<QString> Cluster::ensureDatabase(const Deadline &deadline) const
{
    const auto server = running();
    if (!server)
        return QStringLiteral("PostgreSQL ended right after its start: %1").arg(lastLogLines());
    const auto answers = [&] {
        const std::array<const char *, 5> keys{"host", "port", "user", "dbname", nullptr};
        const QByteArray host = server->socketFolder.toUtf8();
        const QByteArray number = QByteArray::number(server->port);
        const std::array<const char *, 5> values{host.constData(), number.constData(), "postgres", "outbox", nullptr};
        const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdbParams(keys.data(), values.data(), 0),
                                                                      PQfinish);
        return PQstatus(connection.get()) == CONNECTION_OK;
    };
    if (answers())
        return std::nullopt;
    const Ran made = run(QStringLiteral("createdb"),
                         {QStringLiteral("--host"), server->socketFolder, QStringLiteral("--port"),
                          QString::number(server->port), QStringLiteral("--username"), owner, database},
                         deadline);
    if (made.ok || answers())
        return std::nullopt;
    return QStringLiteral("the database \"%1\" could not be made: %2").arg(database, made.output);
}

std::optional<PidFile> Cluster::running() const
{
    QFile file(pidFile());
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const auto lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
    const PidFile found{lines.value(0).toLongLong(), lines.value(3).toInt(), lines.value(4)};
    return worksIn(found.pid, dataFolder()) ? std::optional(found) : std::nullopt;
}

Cluster::Answer Cluster::ask(const PidFile &server)
{
    if (server.port == 0 || server.socketFolder.isEmpty())
        return Answer::notYet;
    const std::array<const char *, 6> keys{"host", "port", "user", "dbname", "connect_timeout", nullptr};
    const QByteArray host = server.socketFolder.toUtf8();
    const QByteArray number = QByteArray::number(server.port);
    const std::array<const char *, 6> values{host.constData(), number.constData(), "postgres", "postgres", "2",
                                             nullptr};
    switch (PQpingParams(keys.data(), values.data(), 0)) {
    case PQPING_OK: return Answer::ready;
    case PQPING_REJECT: return Answer::notYet;
    case PQPING_NO_RESPONSE: return Answer::nothing;
    case PQPING_NO_ATTEMPT: return Answer::nothing;
    }
    return Answer::nothing;
}

ServerAddress Cluster::addressOf(const PidFile &server)
{
    return {server.socketFolder, server.port, database, owner, {}, {}};
}

std::optional<QString> Cluster::clearLeftovers(const QString &sockets, const Deadline &deadline) const
{
    const SteadyClock clock;
    while (anybodyWorksIn(dataFolder())) {
        // Children of a killed postmaster still hold its shared memory; they notice its end by themselves.
        if (deadline.passed(clock.now()))
            return QStringLiteral("processes of an earlier PostgreSQL still use %1").arg(dataFolder());
        std::this_thread::sleep_for(milliseconds{20});
    }
    // Nobody is left, so these are stale, even when their process number has gone to somebody else since.
    const QString socket = QStringLiteral("%1/.s.PGSQL.%2").arg(sockets).arg(port);
    for (const auto &path : {pidFile(), socket, socket + QStringLiteral(".lock")})
        if (!QFile::remove(path) && QFileInfo::exists(path))
            return QStringLiteral("%1 was left by a crash and cannot be removed").arg(path);
    return std::nullopt;
}

void Cluster::keepLogShort() const
{
    if (QFileInfo(logFile()).size() < longestLog)
        return;
    QFile::remove(logFile() + QStringLiteral(".1"));
    QFile::rename(logFile(), logFile() + QStringLiteral(".1"));
}

QString Cluster::lastLogLines() const
{
    QFile file(logFile());
    if (!file.open(QIODevice::ReadOnly))
        return QStringLiteral("nothing");
    file.seek(std::max<qint64>(0, file.size() - 2000));
    return lastLines(QString::fromLocal8Bit(file.readAll()), 3);
}

} // namespace outbox::store::embedded
