// SPDX-License-Identifier: Apache-2.0
#include "store/embedded/process_table.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>

#include <signal.h>

namespace outbox::store::embedded {

namespace {

QString processFolder() { return QStringLiteral("/proc"); }

bool hasProcessTable() { return QFileInfo::exists(processFolder() + QStringLiteral("/self/cwd")); }

bool isAlive(qint64 pid) { return pid > 0 && (kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM); }

} // namespace

bool worksIn(qint64 pid, const QString &folder)
{
    if (!isAlive(pid))
        return false;
    if (!hasProcessTable())
        return true;
    const QString place = QFileInfo(folder).canonicalFilePath();
    const QString itsFolder = QFile::symLinkTarget(QStringLiteral("%1/%2/cwd").arg(processFolder()).arg(pid));
    return !place.isEmpty() && itsFolder == place;
}

bool anybodyWorksIn(const QString &folder)
{
    const auto names = QDir(processFolder()).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const auto &name : names) {
        bool isNumber = false;
        const qint64 pid = name.toLongLong(&isNumber);
        if (isNumber && worksIn(pid, folder))
            return true;
    }
    return false;
}

} // namespace outbox::store::embedded
