// SPDX-License-Identifier: Apache-2.0
#include "store/embedded/account.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstring>
#include <vector>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace outbox::store::embedded {

namespace {

QString systemReason() { return QString::fromLocal8Bit(std::strerror(errno)); }

std::optional<Account> lookUp(const QString &name)
{
    std::vector<char> buffer(16384);
    passwd entry{};
    passwd *found = nullptr;
    if (getpwnam_r(name.toLocal8Bit().constData(), &entry, buffer.data(), buffer.size(), &found) != 0 || !found)
        return std::nullopt;
    return Account{found->pw_uid, found->pw_gid, name, found->pw_uid != geteuid()};
}

Account lookUp(uid_t uid, gid_t gid)
{
    std::vector<char> buffer(16384);
    passwd entry{};
    passwd *found = nullptr;
    if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found)
        return Account{uid, found->pw_gid, QString::fromLocal8Bit(found->pw_name), uid != geteuid()};
    return Account{uid, gid, QString::number(uid), uid != geteuid()};
}

bool mayEnter(const struct stat &entry, const Account &account)
{
    if (entry.st_uid == account.uid)
        return (entry.st_mode & S_IXUSR) != 0;
    if (entry.st_gid == account.gid)
        return (entry.st_mode & S_IXGRP) != 0;
    return (entry.st_mode & S_IXOTH) != 0;
}

std::optional<QString> makeParents(const QString &folder)
{
    QString path;
    const auto names = QFileInfo(folder).path().split(QLatin1Char('/'), Qt::SkipEmptyParts);
    for (const auto &name : names) {
        path += QLatin1Char('/') + name;
        const QByteArray native = QFile::encodeName(path);
        if (mkdir(native.constData(), 0755) == 0) {
            chmod(native.constData(), 0755); // whatever the umask says: the account has to pass
            continue;
        }
        if (errno != EEXIST)
            return QStringLiteral("the folder %1 cannot be made: %2").arg(path, systemReason());
    }
    return std::nullopt;
}

std::optional<QString> whyUnreachable(const QString &folder, const Account &account)
{
    if (!account.switched)
        return std::nullopt;
    QString path = QStringLiteral("/");
    const auto names = QFileInfo(folder).path().split(QLatin1Char('/'), Qt::SkipEmptyParts);
    for (const auto &name : names) {
        path = QDir::cleanPath(path + QLatin1Char('/') + name);
        struct stat entry {};
        if (stat(QFile::encodeName(path).constData(), &entry) == 0 && !mayEnter(entry, account))
            return QStringLiteral("PostgreSQL does not run as root, and the account \"%1\" that it runs as instead may "
                                  "not enter %2; choose a folder that it can reach, such as /var/lib/outbox/store")
                .arg(account.name, path);
    }
    return std::nullopt;
}

bool holdsOtherThings(const QString &folder)
{
    const QStringList ours{QStringLiteral("data"),        QStringLiteral("data.partial"), QStringLiteral("run"),
                           QStringLiteral("start.lock"),  QStringLiteral("users.lock"),   QStringLiteral("server.log"),
                           QStringLiteral("server.log.1")};
    const auto all = QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    for (const auto &name : all)
        if (!ours.contains(name))
            return true;
    return false;
}

} // namespace

Result<Account, QString> accountFor(const QString &folder, const QString &wanted)
{
    if (geteuid() != 0)
        return lookUp(geteuid(), getegid());
    struct stat entry {};
    if (stat(QFile::encodeName(folder).constData(), &entry) == 0 && entry.st_uid != 0)
        return lookUp(entry.st_uid, entry.st_gid);
    for (const auto &name : {wanted, QStringLiteral("postgres"), QStringLiteral("nobody")})
        if (const auto found = name.isEmpty() ? std::nullopt : lookUp(name); found && found->uid != 0)
            return *found;
    return QStringLiteral(
        "PostgreSQL does not run as root and there is no account \"postgres\" or \"nobody\"; run this "
        "program as an ordinary user");
}

std::optional<QString> prepareClosedFolder(const QString &folder, const Account &account)
{
    const QByteArray native = QFile::encodeName(folder);
    if (mkdir(native.constData(), 0700) == 0) {
        if (account.switched && lchown(native.constData(), account.uid, account.gid) != 0)
            return QStringLiteral("the folder %1 cannot be given to \"%2\": %3")
                .arg(folder, account.name, systemReason());
        return std::nullopt;
    }
    if (errno != EEXIST)
        return QStringLiteral("the folder %1 cannot be made: %2").arg(folder, systemReason());
    struct stat entry {};
    if (lstat(native.constData(), &entry) != 0 || !S_ISDIR(entry.st_mode))
        return QStringLiteral("%1 is not a folder").arg(folder);
    if (entry.st_uid != account.uid)
        return QStringLiteral("the folder %1 belongs to somebody else than \"%2\"").arg(folder, account.name);
    if ((entry.st_mode & (S_IRWXG | S_IRWXO)) != 0 && chmod(native.constData(), 0700) != 0)
        return QStringLiteral("the folder %1 cannot be closed to others: %2").arg(folder, systemReason());
    return std::nullopt;
}

std::optional<QString> prepareFolder(const QString &folder, const Account &account)
{
    if (auto problem = makeParents(folder))
        return problem;
    if (auto problem = whyUnreachable(folder, account))
        return problem;
    const QByteArray native = QFile::encodeName(folder);
    struct stat entry {};
    if (stat(native.constData(), &entry) == 0) {
        if (!S_ISDIR(entry.st_mode))
            return QStringLiteral("%1 is not a folder").arg(folder);
        if (holdsOtherThings(folder))
            return QStringLiteral("the folder %1 holds other files; give the store a folder of its own").arg(folder);
        // Reached only by root, with a folder that root had made and that holds nothing but a store's files.
        if (account.switched && entry.st_uid != account.uid &&
            lchown(native.constData(), account.uid, account.gid) != 0)
            return QStringLiteral("the folder %1 cannot be given to \"%2\": %3")
                .arg(folder, account.name, systemReason());
    }
    return prepareClosedFolder(folder, account);
}

} // namespace outbox::store::embedded
