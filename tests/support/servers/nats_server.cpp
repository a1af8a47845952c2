// SPDX-License-Identifier: Apache-2.0
#include "support/servers/nats_server.h"

#include "support/servers/program.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QStandardPaths>

namespace outbox::servers {

using namespace Qt::StringLiterals;

namespace {

/// Debian puts it where only root's search path looks.
QString serverProgram()
{
    const QString found = QStandardPaths::findExecutable(u"nats-server"_s);
    return found.isEmpty() ? u"/usr/sbin/nats-server"_s : found;
}

} // namespace

NatsServer::NatsServer() : port_(freePort()) {}

Result<std::unique_ptr<NatsServer>, QString> NatsServer::start(const QByteArray &more, milliseconds limit)
{
    auto server = std::unique_ptr<NatsServer>(new NatsServer);
    QFile configuration(server->folder_.filePath(u"nats.conf"_s));
    if (!configuration.open(QIODevice::WriteOnly)) {
        return u"nothing can be written to %1"_s.arg(server->folder_.path());
    }
    configuration.write("listen: \"127.0.0.1:" + QByteArray::number(server->port_) + "\"\njetstream { store_dir: \"" +
                        server->folder_.filePath(u"store"_s).toUtf8() + "\" }\n" + more);
    configuration.close();
    auto begun = server->goOn(limit);
    if (!begun) {
        return begun.error();
    }
    return server;
}

Result<Done, QString> NatsServer::goOn(milliseconds limit)
{
    const QString program = serverProgram();
    if (!QFile::exists(program)) {
        return u"NATS is not installed: nats-server is missing (Debian package nats-server)"_s;
    }
    process_.setProcessChannelMode(QProcess::MergedChannels);
    process_.setWorkingDirectory(folder_.path());
    process_.start(program, {u"-c"_s, folder_.filePath(u"nats.conf"_s)}, QIODevice::ReadOnly);
    QByteArray said;
    const QDeadlineTimer end{limit};
    while (!said.contains("Server is ready")) {
        if (process_.state() == QProcess::NotRunning || !process_.waitForReadyRead(int(end.remainingTime()))) {
            return u"nats-server did not start: %1"_s.arg(QString::fromUtf8(said.right(2000)));
        }
        said += process_.readAll();
    }
    return Done{};
}

void NatsServer::stop()
{
    if (process_.state() == QProcess::NotRunning) {
        return;
    }
    process_.terminate();
    if (!process_.waitForFinished(30000)) {
        process_.kill();
        process_.waitForFinished();
    }
}

} // namespace outbox::servers
