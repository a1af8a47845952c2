// SPDX-License-Identifier: Apache-2.0
#include "base/service_thread.h"
#include "runtime/query_service.h"
#include "store/embedded/process_table.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>
#include <sys/stat.h>

using namespace outbox;
using api::StoreCondition;
using runtime::QueryService;

namespace {

constexpr int generous = 60000;
const auto bystander = QStringLiteral("bystander");

/// Another session of the same server, such as a worker's.
void openBystander(const store::ServerAddress &address)
{
    auto database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), bystander);
    database.setHostName(address.host);
    database.setPort(address.port);
    database.setDatabaseName(address.database);
    database.setUserName(address.user);
    QVERIFY(database.open());
}

QString ask(const QString &sql)
{
    QSqlQuery query(QSqlDatabase::database(bystander, false));
    return query.exec(sql) && query.next() ? query.value(0).toString() : QString();
}

} // namespace

/// The console's session with the embedded store, through what can happen to it.
class QueryServiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aLostSessionLeavesTheServerUp(); // D6
    void aKilledServerIsStartedAgain();   // D6

private:
    [[nodiscard]] QString data() const { return place_->path() + QStringLiteral("/store/data"); }
    /// A question shows that the session is gone; then the service finds its way back.
    void comesBack();

    std::unique_ptr<QTemporaryDir> place_;
    std::unique_ptr<ServiceThread<QueryService>> thread_;
    std::optional<store::ServerAddress> address_;
    QList<StoreCondition> conditions_;
};

void QueryServiceTest::init()
{
    place_ = std::make_unique<QTemporaryDir>();
    chmod(QFile::encodeName(place_->path()).constData(), 0755); // as root, another account has to pass
    address_.reset();
    conditions_.clear();
    thread_ = std::make_unique<ServiceThread<QueryService>>(
        std::make_unique<QueryService>(store::EmbeddedAddress{place_->path() + QStringLiteral("/store")}),
        QStringLiteral("queries"));
    auto *service = thread_->service();
    connect(service, &QueryService::statusChanged, this,
            [this](const api::StoreStatus &status) { conditions_.append(status.condition); });
    connect(service, &QueryService::addressKnown, this,
            [this](const store::ServerAddress &address) { address_ = address; });
    thread_->start();
    QTRY_VERIFY_WITH_TIMEOUT(address_ && !conditions_.isEmpty() && conditions_.last() == StoreCondition::ready,
                             generous);
    openBystander(*address_);
}

void QueryServiceTest::cleanup()
{
    QSqlDatabase::removeDatabase(bystander);
    bool stopped = false;
    connect(thread_->service(), &Service::stopped, this, [&] { stopped = true; });
    thread_->stop();
    QTRY_VERIFY_WITH_TIMEOUT(stopped, generous);
    thread_.reset();
    QVERIFY(!store::embedded::anybodyWorksIn(data())); // the last one out
    place_.reset();
}

void QueryServiceTest::comesBack()
{
    conditions_.clear();
    // Asked until somebody notices: a session outlives its killed server for a moment and still answers.
    const auto ask = [this] {
        thread_->service()->ask([](const Result<store::Connection *, store::StoreError> &connected) {
            std::optional<store::StoreError> error;
            if (!connected)
                error = connected.error();
            else if (auto done = (*connected)->run("schema_version", {}, store::Effect::reads); !done)
                error = done.error();
            return error;
        });
        return conditions_.contains(StoreCondition::unavailable);
    };
    QTRY_VERIFY_WITH_TIMEOUT(ask(), generous);
    QTRY_VERIFY_WITH_TIMEOUT(conditions_.last() == StoreCondition::ready, generous);
}

// An administrator ended the window's session: no reason to stop the server under everybody else's.
void QueryServiceTest::aLostSessionLeavesTheServerUp()
{
    const auto started = ask(QStringLiteral("select pg_postmaster_start_time()"));
    const auto session = ask(QStringLiteral("select pg_backend_pid()"));
    QVERIFY(!started.isEmpty() && !session.isEmpty());
    QCOMPARE(ask(QStringLiteral("select bool_and(pg_terminate_backend(pid, 30000)) from pg_stat_activity "
                                "where application_name = 'outbox-console'")),
             QStringLiteral("true"));
    comesBack();
    QCOMPARE(ask(QStringLiteral("select pg_backend_pid()")), session);
    QCOMPARE(ask(QStringLiteral("select pg_postmaster_start_time()")), started);
}

void QueryServiceTest::aKilledServerIsStartedAgain()
{
    QFile file(data() + QStringLiteral("/postmaster.pid"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto pid = file.readLine().trimmed().toLongLong();
    QVERIFY(pid > 0);
    QCOMPARE(kill(static_cast<pid_t>(pid), SIGKILL), 0);
    comesBack();
}

QTEST_GUILESS_MAIN(QueryServiceTest)
#include "query_service_test.moc"
