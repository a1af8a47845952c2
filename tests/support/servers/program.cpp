// SPDX-License-Identifier: Apache-2.0
#include "support/servers/program.h"

#include <QHostAddress>
#include <QProcess>
#include <QTcpServer>

namespace outbox::servers {

using namespace Qt::StringLiterals;

namespace {

/// What matters of a long complaint is its end.
QString lastLines(const QByteArray &text) { return QString::fromUtf8(text).trimmed().right(2000); }

} // namespace

Result<QByteArray, QString> run(const Command &command)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (auto it = command.environment.begin(); it != command.environment.end(); ++it) {
        environment.insert(it.key(), it.value());
    }
    process.setProcessEnvironment(environment);
    if (!command.folder.isEmpty()) {
        process.setWorkingDirectory(command.folder);
    }
    process.start(command.program, command.arguments, QIODevice::ReadOnly);
    if (!process.waitForStarted()) {
        return u"%1 cannot be started: %2"_s.arg(command.program, process.errorString());
    }
    if (!process.waitForFinished(int(command.limit.count()))) {
        process.kill();
        process.waitForFinished();
        return u"%1 did not end within %2 s"_s.arg(command.program).arg(command.limit.count() / 1000);
    }
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        return u"%1 failed (%2): %3"_s.arg(command.program)
            .arg(process.exitCode())
            .arg(lastLines(process.readAllStandardError()));
    }
    return process.readAllStandardOutput();
}

int freePort()
{
    QTcpServer probe;
    return probe.listen(QHostAddress::LocalHost) ? probe.serverPort() : 0;
}

} // namespace outbox::servers
