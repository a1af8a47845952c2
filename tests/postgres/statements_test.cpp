// SPDX-License-Identifier: Apache-2.0
#include "store/statements.h"

#include "support/test_store.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

using namespace outbox;
using namespace outbox::test;

/// Every statement of the engine fits the schema of its migrations.
class StatementsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStatementPrepares_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto &name : store::statementNames())
            QTest::newRow(qPrintable(name)) << name;
    }

    void everyStatementPrepares() // D5
    {
        QFETCH(QString, name);
        QSqlQuery query(store_.database());
        QVERIFY2(query.prepare(store::statementText(name.toLatin1().constData())),
                 qPrintable(query.lastError().text()));
    }

    void anUnknownColumnWouldBeFound()
    {
        QSqlQuery query(store_.database());
        QVERIFY(!query.prepare(QStringLiteral("select nothing_like_it from outbox.pending where id = ?")));
    }

private:
    TestStore store_;
};

QTEST_GUILESS_MAIN(StatementsTest)

#include "statements_test.moc"
