// SPDX-License-Identifier: Apache-2.0
#include "support/test_store.h"

#include "store/migrator.h"
#include "store/statements.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QUrl>
#include <QUuid>

#include <atomic>
#include <stdexcept>

namespace outbox::test {

using namespace outbox::store;

namespace {

[[noreturn]] void fail(const QString &what, const QSqlError &error)
{
    throw std::runtime_error((what + QStringLiteral(": ") + error.text()).toStdString());
}

QSqlDatabase openConnection(const ServerAddress &address)
{
    static std::atomic<int> counter{0};
    auto database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), QStringLiteral("test-%1").arg(++counter));
    database.setHostName(address.host);
    if (address.port != 0)
        database.setPort(address.port);
    database.setDatabaseName(address.database);
    database.setUserName(address.user);
    database.setPassword(address.password);
    database.setConnectOptions(address.options);
    if (!database.open())
        fail(QStringLiteral("no connection to %1").arg(address.database), database.lastError());
    return database;
}

void closeConnection(const QString &name)
{
    QSqlDatabase::database(name, false).close();
    QSqlDatabase::removeDatabase(name);
}

QSqlQuery execute(const QSqlDatabase &database, const QString &sql, const QVariantList &parameters)
{
    QSqlQuery query(database);
    if (parameters.isEmpty()) {
        if (!query.exec(sql))
            fail(sql, query.lastError());
        return query;
    }
    if (!query.prepare(sql))
        fail(sql, query.lastError());
    for (const auto &parameter : parameters)
        query.addBindValue(parameter);
    if (!query.exec())
        fail(sql, query.lastError());
    return query;
}

/// A connection to the cluster's own database, for making and dropping others.
class Maintenance {
public:
    explicit Maintenance(const TestCluster &cluster) : name_(openConnection(cluster.address()).connectionName())
    {
        run(QStringLiteral("set client_min_messages = warning"));
    }
    Maintenance(const Maintenance &) = delete;
    Maintenance &operator=(const Maintenance &) = delete;
    ~Maintenance() { closeConnection(name_); }
    void run(const QString &sql) { execute(QSqlDatabase::database(name_), sql, {}); }
    bool any(const QString &sql) { return execute(QSqlDatabase::database(name_), sql, {}).next(); }

private:
    QString name_;
};

/// One template for each state of the migrations and each day: partitions are made for the days ahead.
QString templateName()
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const auto &migration : migrations())
        hash.addData(migration.text.toUtf8());
    return QStringLiteral("outbox_template_%1_%2")
        .arg(QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd")),
             QString::fromLatin1(hash.result().toHex().left(12)));
}

const QStringList &logins()
{
    static const QStringList names{QStringLiteral("writer"), QStringLiteral("worker"), QStringLiteral("operator"),
                                   QStringLiteral("viewer")};
    return names;
}

void makeLogins(Maintenance &maintenance)
{
    const auto missing = [&](const QString &name) {
        return !maintenance.any(QStringLiteral("select from pg_roles where rolname = '%1'").arg(name));
    };
    for (const auto &role : logins())
        if (missing(QStringLiteral("test_") + role))
            maintenance.run(QStringLiteral("create role test_%1 login in role outbox_%1").arg(role));
    if (missing(QStringLiteral("test_stranger")))
        maintenance.run(QStringLiteral("create role test_stranger login"));
}

void makeTemplate(const TestCluster &cluster, Maintenance &maintenance, const QString &name)
{
    const QString unfinished = name + QStringLiteral("_unfinished");
    maintenance.run(QStringLiteral("drop database if exists %1 with (force)").arg(unfinished));
    maintenance.run(QStringLiteral("create database %1").arg(unfinished));
    const QString connection = openConnection(cluster.address(unfinished)).connectionName();
    const auto migrated = migrate(QSqlDatabase::database(connection));
    closeConnection(connection);
    if (!migrated)
        throw std::runtime_error("the test template cannot be migrated: " + describe(migrated.error()).toStdString());
    makeLogins(maintenance);
    maintenance.run(QStringLiteral("alter database %1 rename to %2").arg(unfinished, name));
}

/// Programs of one test run come here at the same time; an advisory lock lets them pass one by one.
QString ensureTemplate(const TestCluster &cluster)
{
    QString name = templateName();
    Maintenance maintenance(cluster);
    maintenance.run(QStringLiteral("select pg_advisory_lock(7061)"));
    if (!maintenance.any(QStringLiteral("select from pg_database where datname = '%1'").arg(name)))
        makeTemplate(cluster, maintenance, name);
    maintenance.run(QStringLiteral("select pg_advisory_unlock(7061)"));
    return name;
}

QString userOf(Login login, const QString &superuser)
{
    switch (login) {
    case Login::superuser: return superuser;
    case Login::writer: return QStringLiteral("test_writer");
    case Login::worker: return QStringLiteral("test_worker");
    case Login::operator_: return QStringLiteral("test_operator");
    case Login::viewer: return QStringLiteral("test_viewer");
    case Login::stranger: return QStringLiteral("test_stranger");
    }
    return superuser;
}

} // namespace

TestStore::TestStore(TestCluster &cluster, Schema schema)
    : cluster_(cluster), name_(QStringLiteral("outbox_test_") + QUuid::createUuid().toString(QUuid::Id128))
{
    const QString from = schema == Schema::migrated ? ensureTemplate(cluster) : QStringLiteral("template1");
    Maintenance maintenance(cluster_);
    maintenance.run(QStringLiteral("create database %1 template %2").arg(name_, from));
}

TestStore::~TestStore()
{
    for (const auto &name : connections_)
        closeConnection(name);
    try {
        Maintenance(cluster_).run(QStringLiteral("drop database if exists %1 with (force)").arg(name_));
    } catch (const std::runtime_error &) { // NOLINT(bugprone-empty-catch): the test had stopped its server
    }
}

ServerAddress TestStore::address(Login login) const
{
    auto address = cluster_.address(name_);
    address.user = userOf(login, address.user);
    if (login != Login::superuser)
        address.password.clear();
    return address;
}

QString TestStore::uri(Login login) const
{
    const auto target = address(login);
    const auto encoded = [](const QString &text) { return QString::fromLatin1(QUrl::toPercentEncoding(text)); };
    QString text = QStringLiteral("postgresql:///%1?host=%2&user=%3")
                       .arg(encoded(target.database), encoded(target.host), encoded(target.user));
    if (target.port != 0)
        text += QStringLiteral("&port=%1").arg(target.port);
    if (!target.password.isEmpty())
        text += QStringLiteral("&password=%1").arg(encoded(target.password));
    return text;
}

QSqlDatabase TestStore::database()
{
    if (!superuserConnection_.isEmpty()) {
        auto open = QSqlDatabase::database(superuserConnection_, false);
        if (QSqlQuery(open).exec(QStringLiteral("select 1")))
            return open;
        open = QSqlDatabase();
        closeConnection(superuserConnection_);
        connections_.removeAll(superuserConnection_);
    }
    auto made = connect(Login::superuser);
    superuserConnection_ = made.connectionName();
    return made;
}

QSqlDatabase TestStore::connect(Login login)
{
    auto made = openConnection(address(login));
    connections_ << made.connectionName();
    return made;
}

void TestStore::run(const QString &sql, const QVariantList &parameters) { execute(database(), sql, parameters); }

QVariant TestStore::value(const QString &sql, const QVariantList &parameters)
{
    auto query = execute(database(), sql, parameters);
    return query.next() ? query.value(0) : QVariant();
}

QList<QVariantList> TestStore::rows(const QString &sql, const QVariantList &parameters)
{
    auto query = execute(database(), sql, parameters);
    QList<QVariantList> all;
    while (query.next()) {
        QVariantList row;
        for (int column = 0; column < query.record().count(); ++column)
            row << query.value(column);
        all << row;
    }
    return all;
}

QString TestStore::sqlState(const QSqlDatabase &database, const QString &sql, const QVariantList &parameters)
{
    QSqlQuery query(database);
    if (parameters.isEmpty())
        return query.exec(sql) ? QString() : query.lastError().nativeErrorCode();
    if (!query.prepare(sql))
        return query.lastError().nativeErrorCode();
    for (const auto &parameter : parameters)
        query.addBindValue(parameter);
    return query.exec() ? QString() : query.lastError().nativeErrorCode();
}

QString TestStore::stage(const QString &type, const QString &payload, int version)
{
    return value(QStringLiteral("select outbox.stage('provider_side_effect', ?, ?, ?)"), {type, version, payload})
        .toString();
}

} // namespace outbox::test
