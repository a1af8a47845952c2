// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/store_address.h"

#include <QString>
#include <QStringList>

#include <memory>

namespace outbox::test {

/// A PostgreSQL for tests. What goes wrong here throws std::runtime_error: the test cannot be run.
class TestCluster {
public:
    enum class Stop { fast, immediate };

    /// The one that all tests of a run share: named by the environment variable OUTBOX_TEST_CLUSTER (libpq
    /// key words of a superuser who needs no password), or a private one that ends with this program.
    static TestCluster &shared();
    /// One of this test's own, for outages: it may be stopped and killed. Extra lines for postgresql.conf.
    static std::unique_ptr<TestCluster> own(const QStringList &configuration = {});
    TestCluster(const TestCluster &) = delete;
    TestCluster &operator=(const TestCluster &) = delete;
    ~TestCluster();

    /// A superuser's way in.
    [[nodiscard]] outbox::store::ServerAddress address(const QString &database = QStringLiteral("postgres")) const;

    // Only for a cluster of the test's own. All wait until it is so.
    void stopServer(Stop how = Stop::fast);
    void startServer();
    void restart(Stop how = Stop::fast);
    /// SIGKILL to the postmaster, as a crash would end it.
    void killServer();
    [[nodiscard]] qint64 serverPid() const;

private:
    struct Server;
    TestCluster(outbox::store::ServerAddress address, std::unique_ptr<Server> server);
    outbox::store::ServerAddress address_;
    std::unique_ptr<Server> server_;
};

} // namespace outbox::test
