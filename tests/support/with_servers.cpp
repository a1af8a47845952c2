// SPDX-License-Identifier: Apache-2.0
// with-servers COMMAND [ARGUMENT...]: runs a command with one PostgreSQL and one RabbitMQ for all the tests it
// starts, named by OUTBOX_TEST_CLUSTER and OUTBOX_TEST_AMQP, and ends them with it, however it ends. Gives the
// command's exit code. What is named in the environment already is used and left alone.
#include "servers/rabbit_node.h"
#include "support/test_cluster.h"

#include <QCoreApplication>

#include <cerrno>
#include <cstdio>
#include <stdexcept>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace outbox;

namespace {

volatile sig_atomic_t child = 0;

void passOn(int signal)
{
    if (child > 0)
        kill(static_cast<pid_t>(child), signal);
}

int runCommand(char **arguments)
{
    child = fork();
    if (child == 0) {
        execvp(arguments[0], arguments);
        std::perror(arguments[0]);
        _exit(127);
    }
    if (child < 0)
        return 126;
    int status = 0;
    while (waitpid(static_cast<pid_t>(child), &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

QByteArray keyWords(const store::ServerAddress &address)
{
    return QStringLiteral("host='%1' port=%2 user='%3' dbname='%4'")
        .arg(address.host)
        .arg(address.port)
        .arg(address.user, address.database)
        .toUtf8();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fputs("with-servers COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    const QCoreApplication application(argc, argv);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action = {};
        action.sa_handler = passOn;
        sigaction(signal, &action, nullptr);
    }
    try {
        std::unique_ptr<test::TestCluster> cluster;
        std::unique_ptr<servers::RabbitNode> broker;
        if (!qEnvironmentVariableIsSet("OUTBOX_TEST_CLUSTER")) {
            cluster =
                test::TestCluster::own({QStringLiteral("max_connections = 300"), QStringLiteral("max_wal_size = 4GB")});
            qputenv("OUTBOX_TEST_CLUSTER", keyWords(cluster->address()));
        }
        if (!qEnvironmentVariableIsSet("OUTBOX_TEST_AMQP")) {
            auto started = servers::RabbitNode::start();
            if (!started) {
                std::fprintf(stderr, "%s\n", qPrintable(started.error()));
                return 1;
            }
            broker = std::move(started).value();
            qputenv("OUTBOX_TEST_AMQP",
                    QStringLiteral("amqp://guest:guest@127.0.0.1:%1/").arg(broker->port()).toUtf8() + "%2f");
        }
        return runCommand(argv + 1);
    } catch (const std::runtime_error &problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 1;
    }
}
