// SPDX-License-Identifier: Apache-2.0
#include "store/connection.h"
#include "store/migrator.h"
#include "store/statements.h"
#include "support/test_store.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

#include <algorithm>
#include <array>
#include <thread>

using namespace outbox;
using namespace outbox::store;
using namespace outbox::test;

namespace {

template <typename E>
const E *errorOf(const auto &result)
{
    return result.ok() ? nullptr : std::get_if<E>(&result.error());
}

ConnectionSettings settings(bool needWrite = false)
{
    ConnectionSettings made;
    made.purpose = QStringLiteral("test");
    made.needWrite = needWrite;
    return made;
}

} // namespace

/// The schema comes up in steps, and a program works with its own version only.
class MigrateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bringsTheSchemaUpOnce()
    {
        TestStore store(TestCluster::shared(), TestStore::Schema::none);
        QVERIFY(!installedVersion(store.database())->has_value());
        const auto first = migrate(store.database());
        QVERIFY(first.ok());
        QCOMPARE(first->from, 0);
        QCOMPARE(first->to, schemaVersion());
        const auto second = migrate(store.database());
        QVERIFY(second.ok());
        QCOMPARE(second->from, schemaVersion());
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.schema_version")).toInt(), schemaVersion());
    }

    void twoProgramsMayTryAtOnce()
    {
        TestStore store(TestCluster::shared(), TestStore::Schema::none);
        std::array<int, 2> from{-1, -1};
        const auto migrateIn = [&](int &result) {
            const QString name = QStringLiteral("migrate-%1").arg(reinterpret_cast<quintptr>(&result));
            {
                auto database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), name);
                const auto address = store.address();
                database.setHostName(address.host);
                database.setPort(address.port);
                database.setDatabaseName(address.database);
                database.setUserName(address.user);
                if (database.open())
                    if (const auto done = migrate(database))
                        result = done->from;
            }
            QSqlDatabase::removeDatabase(name);
        };
        std::thread one([&] { migrateIn(from[0]); });
        std::thread two([&] { migrateIn(from[1]); });
        one.join();
        two.join();
        QCOMPARE(std::min(from[0], from[1]), 0);
        QCOMPARE(std::max(from[0], from[1]), schemaVersion());
    }

    void aFailedMigrationLeavesNothing()
    {
        TestStore store(TestCluster::shared(), TestStore::Schema::none);
        store.run(QStringLiteral("create schema outbox")); // somebody else's, in the way
        QVERIFY(!migrate(store.database()).ok());
        store.run(QStringLiteral("drop schema outbox"));
        QVERIFY(migrate(store.database()).ok());
    }

    void aNewerSchemaIsRefused() // S15
    {
        TestStore store;
        store.run(
            QStringLiteral("insert into outbox.schema_version (version, name, checksum) values (?, 'of tomorrow', '')"),
            {schemaVersion() + 1});
        const auto migrated = migrate(store.database());
        const auto *refused = errorOf<SchemaTooNew>(migrated);
        QVERIFY(refused);
        QCOMPARE(refused->found, schemaVersion() + 1);
        const auto opened = Connection::open(store.address(), settings());
        QVERIFY(errorOf<SchemaTooNew>(opened));
    }

    void anOlderSchemaIsRefusedUntilMigrated() // S15
    {
        TestStore store;
        store.run(QStringLiteral("delete from outbox.schema_version where version = ?"), {schemaVersion()});
        const auto opened = Connection::open(store.address(), settings());
        const auto *refused = errorOf<SchemaTooOld>(opened);
        QVERIFY(refused);
        QCOMPARE(refused->needed, schemaVersion());
    }

    void aSchemaOfAnotherBuildIsRefused() // S15
    {
        TestStore store;
        store.run(QStringLiteral("delete from outbox.schema_version where version = ?"), {schemaVersion()});
        store.run(QStringLiteral("update outbox.schema_version set checksum = md5(checksum) where version = 3"));
        const auto isRefused = [&](const QString &migration) {
            const auto migrated = migrate(store.database());
            const auto opened = Connection::open(store.address(), settings());
            const auto *first = errorOf<SchemaDiffers>(migrated);
            const auto *second = errorOf<SchemaDiffers>(opened);
            return first && second && first->migration == migration && second->migration == migration &&
                   describe(migrated.error()).contains(migration);
        };
        QVERIFY(isRefused(QStringLiteral("0003_partitions")));
        // One from before there were checksums.
        store.run(QStringLiteral("alter table outbox.schema_version drop column checksum"));
        QVERIFY(isRefused(QStringLiteral("0001_roles")));
        QCOMPARE(store.value(QStringLiteral("select max(version) from outbox.schema_version")).toInt(),
                 schemaVersion() - 1);
    }

    void aMissingSchemaIsSaid() // S15
    {
        TestStore store(TestCluster::shared(), TestStore::Schema::none);
        const auto opened = Connection::open(store.address(), settings());
        const auto *unavailable = errorOf<Unavailable>(opened);
        QVERIFY(unavailable);
        QVERIFY(unavailable->why == Unavailable::Why::no_schema);
    }

    void aMissingDatabaseAndAClosedOneAreSaid() // S15
    {
        TestStore store;
        auto address = store.address();
        address.database += QStringLiteral("_not");
        const auto none = Connection::open(address, settings());
        QVERIFY(errorOf<Unavailable>(none));
        QVERIFY(errorOf<Unavailable>(none)->why == Unavailable::Why::no_database);

        store.run(QStringLiteral("alter database %1 set default_transaction_read_only = on").arg(store.name()));
        const auto closed = Connection::open(store.address(), settings(true));
        QVERIFY(errorOf<Unavailable>(closed));
        QVERIFY(errorOf<Unavailable>(closed)->why == Unavailable::Why::read_only);

        address.host = QStringLiteral("/nowhere");
        const auto away = Connection::open(address, settings());
        QVERIFY(errorOf<Unavailable>(away));
        QVERIFY(errorOf<Unavailable>(away)->why == Unavailable::Why::unreachable);
    }

    void everyStatementCanBePrepared()
    {
        TestStore store;
        // Those that manage transactions, sessions and versions are run as they are.
        const QStringList plain{QStringLiteral("session_settings")};
        QStringList problems;
        QVERIFY(statementNames().size() > 15);
        for (const auto &name : statementNames()) {
            if (plain.contains(name))
                continue;
            QSqlQuery query(store.database());
            if (!query.prepare(statementText(name.toUtf8().constData())))
                problems << name + QStringLiteral(": ") + query.lastError().databaseText();
        }
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
    }
};

QTEST_GUILESS_MAIN(MigrateTest)

#include "migrate_test.moc"
