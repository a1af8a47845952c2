// SPDX-License-Identifier: Apache-2.0
#include "support/test_store.h"
#include "writer/after_commit_publisher.h"

#include <QSqlQuery>
#include <QTest>

using namespace outbox;
using namespace outbox::test;
using writer::AfterCommitPublisher;
using writer::NewMessage;

namespace {

NewMessage message(const QString &type)
{
    NewMessage one;
    one.kind = IntegrationEvent{QStringLiteral("E-1")};
    one.type = MessageType(type);
    one.payload = "{}";
    return one;
}

} // namespace

/// Best-effort reactions outside of the outbox: published after the commit, without a record.
class AfterCommitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        store_ = std::make_unique<TestStore>();
        store_->run(QStringLiteral("create table deed (n integer check (n > 0)); grant all on deed to test_writer"));
        connection_ = store_->connect(Login::writer);
        published_.clear();
    }
    void cleanup()
    {
        connection_ = QSqlDatabase();
        store_.reset();
    }

    void publishesAfterTheCommitOnly() // S2
    {
        auto publisher = make();
        QVERIFY(connection_.transaction());
        QVERIFY(insertDeed(1));
        QVERIFY(publisher.remember(message(QStringLiteral("a"))).ok());
        QVERIFY(publisher.remember(message(QStringLiteral("b"))).ok());
        const auto early = publisher.publishCommitted();
        QVERIFY(early.ok());
        QCOMPARE(early->waiting, 2);
        QCOMPARE(published_, QStringList());
        QVERIFY(connection_.commit());
        const auto done = publisher.publishCommitted();
        QVERIFY(done.ok());
        QCOMPARE(done->published, 2);
        QCOMPARE(published_, (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
        QCOMPARE(publisher.publishCommitted()->published, 0); // once
        QCOMPARE(published_.size(), 2);
    }

    void leavesNoRecord() // S2
    {
        auto publisher = make();
        QVERIFY(connection_.transaction());
        QVERIFY(publisher.remember(message(QStringLiteral("a"))).ok());
        QVERIFY(connection_.commit());
        QCOMPARE(publisher.publishCommitted()->published, 1);
        for (const auto *table : {"message", "pending", "processing", "dispatched", "dead_letter", "lane"})
            QCOMPARE(store_->value(QStringLiteral("select count(*) from outbox.") + QLatin1String(table)).toInt(), 0);
    }

    void aRollbackPublishesNothing() // S2
    {
        auto publisher = make();
        QVERIFY(connection_.transaction());
        QVERIFY(insertDeed(1));
        QVERIFY(publisher.remember(message(QStringLiteral("a"))).ok());
        QVERIFY(connection_.rollback());
        const auto done = publisher.publishCommitted();
        QVERIFY(done.ok());
        QCOMPARE(done->dropped, 1);
        QCOMPARE(published_, QStringList());
    }

    void aCommitThatFailsPublishesNothing() // S2
    {
        auto publisher = make();
        QSqlQuery query(connection_);
        QVERIFY(query.exec(QStringLiteral("begin")));
        QVERIFY(publisher.remember(message(QStringLiteral("a"))).ok());
        QVERIFY(!insertDeed(-1)); // the transaction has failed; COMMIT rolls it back and says so in its tag only
        query.exec(QStringLiteral("commit"));
        const auto done = publisher.publishCommitted();
        QVERIFY(done.ok());
        QCOMPARE(done->dropped, 1);
        QCOMPARE(published_, QStringList());
        QCOMPARE(store_->value(QStringLiteral("select count(*) from deed")).toInt(), 0);
    }

    void aCutConnectionIsSettledByTheNextOne() // S2
    {
        auto publisher = make();
        QVERIFY(connection_.transaction());
        QVERIFY(publisher.remember(message(QStringLiteral("lost"))).ok());
        store_->run(QStringLiteral("select pg_terminate_backend(pid, 60000) from pg_stat_activity where usename = "
                                   "'test_writer' and datname = current_database()"));
        QVERIFY(!publisher.publishCommitted().ok());
        connection_.close();
        QVERIFY(connection_.open());
        const auto done = publisher.publishCommitted();
        QVERIFY(done.ok());
        QCOMPARE(done->dropped, 1);
        QCOMPARE(published_, QStringList());
    }

    void eachTransactionForItself() // S2
    {
        auto publisher = make();
        for (const auto &[type, commits] : {std::pair("a", true), std::pair("b", false), std::pair("c", true)}) {
            QVERIFY(connection_.transaction());
            QVERIFY(publisher.remember(message(QString::fromLatin1(type))).ok());
            QVERIFY(commits ? connection_.commit() : connection_.rollback());
        }
        QVERIFY(connection_.transaction());
        QVERIFY(publisher.remember(message(QStringLiteral("d"))).ok());
        const auto done = publisher.publishCommitted();
        QVERIFY(done.ok());
        QCOMPARE(done->published, 2);
        QCOMPARE(done->dropped, 1);
        QCOMPARE(done->waiting, 1);
        QCOMPARE(published_, (QStringList{QStringLiteral("a"), QStringLiteral("c")}));
        QVERIFY(connection_.commit());
        QCOMPARE(publisher.publishCommitted()->published, 1);
    }

    void wantsAnOpenTransaction() // S2
    {
        auto publisher = make();
        const auto outside = publisher.remember(message(QStringLiteral("a")));
        QVERIFY(!outside.ok());
        QVERIFY(std::holds_alternative<writer::NoTransaction>(outside.error()));
        QVERIFY(connection_.transaction());
        QVERIFY(!insertDeed(-1));
        QVERIFY(std::holds_alternative<writer::NotUsable>(publisher.remember(message(QStringLiteral("a"))).error()));
        QVERIFY(connection_.rollback());
        QCOMPARE(publisher.publishCommitted()->published, 0);
        AfterCommitPublisher closed(QSqlDatabase(), [](const NewMessage &) {});
        QVERIFY(std::holds_alternative<writer::NotUsable>(closed.remember(message(QStringLiteral("a"))).error()));
    }

private:
    AfterCommitPublisher make()
    {
        return {connection_, [this](const NewMessage &one) { published_ << one.type.value(); }};
    }
    bool insertDeed(int n)
    {
        QSqlQuery query(connection_);
        return query.exec(QStringLiteral("insert into deed values (%1)").arg(n));
    }

    std::unique_ptr<TestStore> store_;
    QSqlDatabase connection_;
    QStringList published_;
};

QTEST_GUILESS_MAIN(AfterCommitTest)

#include "after_commit_test.moc"
