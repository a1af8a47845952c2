// SPDX-License-Identifier: Apache-2.0
#include "support/servers/rabbit_node.h"

#include "support/servers/program.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>

#include <signal.h>

namespace outbox::servers {

using namespace Qt::StringLiterals;

namespace {

// The one in /usr/sbin changes the user and the folders; this one does what its environment says.
const auto serverProgram = u"/usr/lib/rabbitmq/bin/rabbitmq-server"_s;

} // namespace

RabbitNode::RabbitNode() : port_(freePort()), distributionPort_(freePort()), epmdPort_(freePort()) {}

QProcessEnvironment RabbitNode::environment() const
{
    const auto inFolder = [this](const QString &name) { return folder_.filePath(name); };
    auto environment = QProcessEnvironment::systemEnvironment();
    const QMap<QString, QString> own{
        {u"HOME"_s, folder_.path()},
        {u"RABBITMQ_NODENAME"_s, u"outbox%1@localhost"_s.arg(port_)},
        {u"RABBITMQ_NODE_IP_ADDRESS"_s, u"127.0.0.1"_s},
        {u"RABBITMQ_NODE_PORT"_s, QString::number(port_)},
        {u"RABBITMQ_DIST_PORT"_s, QString::number(distributionPort_)},
        {u"ERL_EPMD_PORT"_s, QString::number(epmdPort_)},
        {u"ERL_EPMD_ADDRESS"_s, u"127.0.0.1"_s},
        {u"RABBITMQ_MNESIA_BASE"_s, inFolder(u"mnesia"_s)},
        {u"RABBITMQ_LOG_BASE"_s, inFolder(u"log"_s)},
        {u"RABBITMQ_PID_FILE"_s, inFolder(u"pid"_s)},
        {u"RABBITMQ_CONF_ENV_FILE"_s, inFolder(u"no-env.conf"_s)},
        {u"RABBITMQ_CONFIG_FILE"_s, inFolder(u"rabbitmq"_s)},
        {u"RABBITMQ_ENABLED_PLUGINS_FILE"_s, inFolder(u"plugins"_s)},
        {u"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"_s, u"+sbwt none +sbwtdcpu none +sbwtdio none"_s},
    };
    for (auto it = own.begin(); it != own.end(); ++it) {
        environment.insert(it.key(), it.value());
    }
    return environment;
}

Result<std::unique_ptr<RabbitNode>, QString> RabbitNode::start(milliseconds limit)
{
    auto node = std::unique_ptr<RabbitNode>(new RabbitNode);
    auto begun = node->begin(limit);
    if (!begun) {
        return begun.error();
    }
    return node;
}

Result<Done, QString> RabbitNode::begin(milliseconds limit)
{
    if (!QFile::exists(serverProgram)) {
        return u"RabbitMQ is not installed: %1 is missing (Debian package rabbitmq-server)"_s.arg(serverProgram);
    }
    QFile plugins(folder_.filePath(u"plugins"_s));
    QFile configuration(folder_.filePath(u"rabbitmq.conf"_s));
    if (!plugins.open(QIODevice::WriteOnly) || !configuration.open(QIODevice::WriteOnly)) {
        return u"nothing can be written to %1"_s.arg(folder_.path());
    }
    plugins.write("[].\n");
    configuration.write("disk_free_limit.absolute = 50MB\nlog.file.level = warning\nlog.console = false\n");
    plugins.close();
    configuration.close();
    process_.setProcessEnvironment(environment());
    process_.setProcessChannelMode(QProcess::MergedChannels);
    process_.setWorkingDirectory(folder_.path());
    process_.start(serverProgram, QStringList(), QIODevice::ReadOnly);
    QByteArray said;
    const QDeadlineTimer end{limit};
    while (!said.contains("completed with")) {
        if (process_.state() == QProcess::NotRunning || !process_.waitForReadyRead(int(end.remainingTime()))) {
            return u"RabbitMQ did not start: %1"_s.arg(QString::fromUtf8(said.right(2000)));
        }
        said += process_.readAll();
    }
    return Done{};
}

RabbitNode::~RabbitNode()
{
    if (process_.state() != QProcess::NotRunning) {
        QFile pid(folder_.filePath(u"pid"_s));
        const auto node = pid.open(QIODevice::ReadOnly) ? pid.readAll().trimmed().toInt() : 0;
        if (node > 0) {
            ::kill(node, SIGTERM);
        } else {
            process_.terminate();
        }
        if (!process_.waitForFinished(30000)) {
            process_.kill();
            process_.waitForFinished();
        }
    }
    // Asks our own epmd, by its own port, to end.
    QProcess epmd;
    epmd.setProcessEnvironment(environment());
    epmd.start(u"epmd"_s, {u"-port"_s, QString::number(epmdPort_), u"-kill"_s});
    epmd.waitForFinished(5000);
}

QString RabbitNode::url() const { return u"amqp://guest@127.0.0.1:"_s + QString::number(port_) + u"/%2f"_s; }

} // namespace outbox::servers
