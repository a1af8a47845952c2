// SPDX-License-Identifier: Apache-2.0
#include "support/test_store.h"

#include <QSqlQuery>
#include <QTest>

using namespace outbox::test;

/// The tests' own ground: what they rely on without looking.
class TestStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isFreshAndMigrated()
    {
        TestStore one;
        TestStore two;
        QVERIFY(!one.stage(QStringLiteral("orders.placed")).isEmpty());
        QCOMPARE(one.value(QStringLiteral("select count(*) from outbox.message")).toInt(), 1);
        QCOMPARE(two.value(QStringLiteral("select count(*) from outbox.message")).toInt(), 0);
    }

    void mayBeWithoutSchema()
    {
        TestStore store(TestCluster::shared(), TestStore::Schema::none);
        QCOMPARE(store.value(QStringLiteral("select count(*) from pg_namespace where nspname = 'outbox'")).toInt(), 0);
    }

    void hasALoginForEachRole()
    {
        TestStore store;
        const auto member = QStringLiteral("select string_agg(r, ',' order by r) from unnest(array['outbox_writer', "
                                           "'outbox_worker', 'outbox_operator', 'outbox_viewer']) r "
                                           "where pg_has_role(session_user, r, 'usage')");
        const auto rolesOf = [&](Login login) {
            QSqlQuery query(store.connect(login));
            return query.exec(member) && query.next() ? query.value(0).toString() : QStringLiteral("failed");
        };
        QCOMPARE(rolesOf(Login::writer), QStringLiteral("outbox_writer"));
        QCOMPARE(rolesOf(Login::worker), QStringLiteral("outbox_worker"));
        QCOMPARE(rolesOf(Login::operator_), QStringLiteral("outbox_operator,outbox_viewer"));
        QCOMPARE(rolesOf(Login::viewer), QStringLiteral("outbox_viewer"));
        QCOMPARE(rolesOf(Login::stranger), QString());
    }

    void dropsItsDatabase()
    {
        QString name;
        {
            TestStore store;
            name = store.name();
        }
        TestStore other;
        QCOMPARE(other.value(QStringLiteral("select count(*) from pg_database where datname = ?"), {name}).toInt(), 0);
    }

    void comesBackAfterAnOutage()
    {
        const auto cluster = TestCluster::own();
        TestStore store(*cluster);
        const QString id = store.stage(QStringLiteral("orders.placed"));
        cluster->restart();
        QCOMPARE(store.value(QStringLiteral("select id from outbox.message")).toString(), id);
        cluster->killServer();
        cluster->startServer();
        QCOMPARE(store.value(QStringLiteral("select id from outbox.message")).toString(), id);
    }

    void namesItselfAsAUri()
    {
        TestStore store;
        const auto parsed = outbox::store::parseStoreAddress(store.uri(Login::viewer));
        QVERIFY(parsed.ok());
        const auto address = std::get<outbox::store::ServerAddress>(*parsed);
        QCOMPARE(address.database, store.name());
        QCOMPARE(address.host, store.address().host);
        QCOMPARE(address.user, QStringLiteral("test_viewer"));
    }
};

QTEST_GUILESS_MAIN(TestStoreTest)

#include "test_store_test.moc"
