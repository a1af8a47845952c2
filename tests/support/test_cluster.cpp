// SPDX-License-Identifier: Apache-2.0
#include "support/test_cluster.h"

#include "store/embedded/cluster.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <stdexcept>

#include <signal.h>

namespace outbox::test {

using namespace outbox::store;
using embedded::Cluster;

namespace {

constexpr milliseconds limit{60000};

Deadline soon() { return Deadline::in(limit, SteadyClock{}); }

[[noreturn]] void give_up(const QString &why) { throw std::runtime_error("test cluster: " + why.toStdString()); }

void check(const std::optional<QString> &problem)
{
    if (problem)
        give_up(*problem);
}

std::unique_ptr<TestCluster> &sharedInstance()
{
    static std::unique_ptr<TestCluster> instance;
    return instance;
}

void endShared() { sharedInstance().reset(); }

} // namespace

struct TestCluster::Server {
    Server(std::unique_ptr<QTemporaryDir> dir, Cluster made, QStringList lines)
        : folder(std::move(dir)), cluster(std::move(made)), configuration(std::move(lines))
    {
    }
    std::unique_ptr<QTemporaryDir> folder;
    Cluster cluster;
    QStringList configuration;
};

TestCluster::TestCluster(ServerAddress address, std::unique_ptr<Server> server)
    : address_(std::move(address)), server_(std::move(server))
{
}

TestCluster::~TestCluster()
{
    if (server_ && server_->cluster.running()) [[maybe_unused]]
        const auto problem = server_->cluster.stop(Cluster::Stop::immediate, soon());
}

TestCluster &TestCluster::shared()
{
    auto &instance = sharedInstance();
    if (instance)
        return *instance;
    const QString given = qEnvironmentVariable("OUTBOX_TEST_CLUSTER");
    if (given.isEmpty()) {
        instance = own();
        qAddPostRoutine(endShared);
        return *instance;
    }
    const auto parsed = parseStoreAddress(given);
    if (!parsed || !std::holds_alternative<ServerAddress>(*parsed))
        give_up(QStringLiteral("OUTBOX_TEST_CLUSTER is no address of a server"));
    instance.reset(new TestCluster(std::get<ServerAddress>(*parsed), nullptr));
    return *instance;
}

std::unique_ptr<TestCluster> TestCluster::own(const QStringList &configuration)
{
    auto folder = std::make_unique<QTemporaryDir>();
    const auto account = embedded::accountFor(folder->path(), {});
    if (!account)
        give_up(account.error());
    const auto binaries = embedded::findBinaries(std::nullopt, {});
    if (!binaries)
        give_up(binaries.error());
    check(embedded::prepareFolder(folder->path(), *account));
    Cluster cluster(folder->path(), *account, *binaries);
    check(cluster.create(false, soon()));
    auto server = std::make_unique<Server>(std::move(folder), std::move(cluster), configuration);
    std::unique_ptr<TestCluster> made(new TestCluster({}, std::move(server)));
    made->startServer();
    return made;
}

ServerAddress TestCluster::address(const QString &database) const
{
    ServerAddress copy = address_;
    copy.database = database;
    return copy;
}

void TestCluster::startServer()
{
    check(server_->cluster.start(false, server_->configuration, soon()));
    const auto running = server_->cluster.running();
    if (!running)
        give_up(QStringLiteral("it ended right after its start"));
    address_ = Cluster::addressOf(*running);
}

void TestCluster::stopServer(Stop how)
{
    check(server_->cluster.stop(how == Stop::fast ? Cluster::Stop::fast : Cluster::Stop::immediate, soon()));
}

void TestCluster::restart(Stop how)
{
    stopServer(how);
    startServer();
}

void TestCluster::killServer()
{
    if (const qint64 pid = serverPid(); pid <= 0 || kill(static_cast<pid_t>(pid), SIGKILL) != 0)
        give_up(QStringLiteral("there is no server to kill"));
}

qint64 TestCluster::serverPid() const
{
    const auto running = server_ ? server_->cluster.running() : std::nullopt;
    return running ? running->pid : 0;
}

} // namespace outbox::test
