// SPDX-License-Identifier: Apache-2.0
#include "store/embedded/binaries.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStringList>

#include <algorithm>
#include <vector>

namespace outbox::store::embedded {

namespace {

constexpr int oldestSupported = 15;
constexpr int processLimit = 10000; // ms; these programs only print a line

QString firstLineOf(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments, QIODevice::ReadOnly);
    if (!process.waitForFinished(processLimit) || process.exitCode() != 0) {
        process.kill();
        process.waitForFinished(processLimit);
        return {};
    }
    return QString::fromLocal8Bit(process.readAllStandardOutput()).section(QLatin1Char('\n'), 0, 0).trimmed();
}

bool isComplete(const QString &folder)
{
    const QDir dir(folder);
    const QStringList needed{QStringLiteral("initdb"), QStringLiteral("pg_ctl"), QStringLiteral("postgres"),
                             QStringLiteral("createdb")};
    return std::all_of(needed.begin(), needed.end(),
                       [&](const QString &name) { return QFileInfo(dir.filePath(name)).isExecutable(); });
}

int majorOf(const QString &folder)
{
    static const QRegularExpression number(QStringLiteral("\\(PostgreSQL\\) (\\d+)"));
    return number.match(firstLineOf(folder + QStringLiteral("/postgres"), {QStringLiteral("--version")}))
        .captured(1)
        .toInt();
}

void addFolders(QStringList &folders, const QString &parent, const QString &pattern, const QString &below)
{
    const auto names = QDir(parent).entryList({pattern}, QDir::Dirs | QDir::NoDotAndDotDot);
    for (const auto &name : names)
        folders << QDir(parent).filePath(name) + below;
}

QStringList candidates()
{
    QStringList folders;
    addFolders(folders, QStringLiteral("/usr/lib/postgresql"), QStringLiteral("*"), QStringLiteral("/bin"));
    addFolders(folders, QStringLiteral("/usr"), QStringLiteral("pgsql-*"), QStringLiteral("/bin"));
    addFolders(folders, QStringLiteral("/opt/homebrew/opt"), QStringLiteral("postgresql*"), QStringLiteral("/bin"));
    folders << QStringLiteral("/usr/local/pgsql/bin");
    const QString configuration = QStandardPaths::findExecutable(QStringLiteral("pg_config"));
    if (!configuration.isEmpty())
        folders << firstLineOf(configuration, {QStringLiteral("--bindir")});
    const QString server = QStandardPaths::findExecutable(QStringLiteral("postgres"));
    if (!server.isEmpty())
        folders << QFileInfo(server).canonicalPath();
    folders.removeAll(QString());
    folders.removeDuplicates();
    return folders;
}

std::vector<Binaries> installed(const QStringList &folders)
{
    std::vector<Binaries> found;
    for (const auto &folder : folders)
        if (isComplete(folder))
            if (const int major = majorOf(folder); major > 0)
                found.push_back({folder, major});
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.major > b.major; });
    return found;
}

} // namespace

Result<Binaries, QString> findBinaries(std::optional<int> major, const QString &only)
{
    const auto found = installed(only.isEmpty() ? candidates() : QStringList{only});
    if (found.empty())
        return QStringLiteral(
                   "no PostgreSQL server is installed%1; install it (on Debian: apt-get install postgresql) or "
                   "give the address of a running one")
            .arg(only.isEmpty() ? QString() : QStringLiteral(" in %1").arg(only));
    if (!major) {
        if (found.front().major >= oldestSupported)
            return found.front();
        return QStringLiteral("the newest PostgreSQL installed is %1 and %2 or later is needed; install that")
            .arg(found.front().major)
            .arg(oldestSupported);
    }
    const auto same = std::find_if(found.begin(), found.end(), [&](const auto &each) { return each.major == *major; });
    if (same != found.end() && same->major >= oldestSupported)
        return *same;
    if (same != found.end())
        return QStringLiteral("its data was made by PostgreSQL %1 and %2 or later is needed; bring the data over with "
                              "pg_upgrade, or choose another folder")
            .arg(*major)
            .arg(oldestSupported);
    return QStringLiteral(
               "its data was made by PostgreSQL %1 and only %2 is installed; install PostgreSQL %1, or bring "
               "the data over with pg_upgrade, or choose another folder")
        .arg(*major)
        .arg(found.front().major);
}

} // namespace outbox::store::embedded
