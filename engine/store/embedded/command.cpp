// SPDX-License-Identifier: Apache-2.0
#include "store/embedded/command.h"

#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>

#include <algorithm>

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

namespace outbox::store::embedded {

namespace {

QProcessEnvironment cleanEnvironment()
{
    auto environment = QProcessEnvironment::systemEnvironment();
    const auto names = environment.keys();
    for (const auto &name : names)
        if (name.startsWith(QLatin1String("PG")) || name.startsWith(QLatin1String("LC_")))
            environment.remove(name); // neither another server's address nor a translated message
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    return environment;
}

} // namespace

int millisecondsLeft(const Deadline &deadline)
{
    const SteadyClock clock;
    return static_cast<int>(std::max<milliseconds::rep>(1, deadline.remaining(clock.now()).count()));
}

QString lastLines(const QString &text, int count)
{
    const auto lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    return lines.mid(std::max<qsizetype>(0, lines.size() - count)).join(QStringLiteral("; ")).simplified();
}

Ran runAs(const Account &account, const QString &program, const QStringList &arguments, const QString &folder,
          const Deadline &deadline)
{
    QProcess process;
    process.setProcessEnvironment(cleanEnvironment());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(folder);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setChildProcessModifier([uid = account.uid, gid = account.gid, switched = account.switched] {
        umask(077);
        if (switched && (setgroups(1, &gid) != 0 || setgid(gid) != 0 || setuid(uid) != 0))
            _exit(126);
    });
    process.start(program, arguments, QIODevice::ReadOnly);
    if (!process.waitForFinished(millisecondsLeft(deadline))) {
        const bool started = process.state() != QProcess::NotRunning;
        process.kill();
        process.waitForFinished(1000);
        return {false, started ? QStringLiteral("%1 did not end in time").arg(QFileInfo(program).fileName())
                               : process.errorString()};
    }
    const QString output = lastLines(QString::fromLocal8Bit(process.readAll()), 3);
    return {process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, output};
}

} // namespace outbox::store::embedded
