// SPDX-License-Identifier: Apache-2.0
#include "support/test_store.h"

#include <QHash>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

using namespace outbox::test;

namespace {

const QList<Login> everybody{Login::writer, Login::worker, Login::operator_, Login::viewer, Login::stranger};
const auto noRight = QStringLiteral("42501");

const char *nameOf(Login login)
{
    switch (login) {
    case Login::superuser: return "superuser";
    case Login::writer: return "writer";
    case Login::worker: return "worker";
    case Login::operator_: return "operator";
    case Login::viewer: return "viewer";
    case Login::stranger: return "stranger";
    }
    return "";
}

/// Who may execute which function; a function that is not listed is for nobody.
const QHash<QString, QList<Login>> &grants()
{
    static const QList<Login> worker{Login::worker};
    static const QList<Login> lookers{Login::worker, Login::operator_, Login::viewer};
    static const QHash<QString, QList<Login>> all{
        {QStringLiteral("stage"), {Login::writer}},
        {QStringLiteral("stage_many"), {Login::writer}},
        {QStringLiteral("register_worker"), worker},
        {QStringLiteral("heartbeat"), worker},
        {QStringLiteral("unregister_worker"), worker},
        {QStringLiteral("claim"), worker},
        {QStringLiteral("complete"), worker},
        {QStringLiteral("retry"), worker},
        {QStringLiteral("dead_letter"), worker},
        {QStringLiteral("release"), worker},
        {QStringLiteral("extend_lease"), worker},
        {QStringLiteral("release_expired"), worker},
        {QStringLiteral("doze"), worker},
        {QStringLiteral("awake"), worker},
        {QStringLiteral("sweep_sleepers"), worker},
        {QStringLiteral("set_route"), worker},
        {QStringLiteral("set_routes"), worker},
        {QStringLiteral("roll_up_tally"), worker},
        {QStringLiteral("route_lanes"), worker},
        {QStringLiteral("ensure_partitions"), worker},
        {QStringLiteral("replay"), {Login::operator_}},
        {QStringLiteral("apply_specifications"), {Login::operator_}},
        {QStringLiteral("set_unspecified"), {Login::operator_}},
        {QStringLiteral("pause"), {Login::operator_}},
        {QStringLiteral("resume"), {Login::operator_}},
        {QStringLiteral("set_limits"), {Login::operator_}},
        {QStringLiteral("skip"), {Login::operator_}},
        {QStringLiteral("uuid_at"), lookers},
        {QStringLiteral("uuid_time"), lookers},
    };
    return all;
}

} // namespace

/// Every forbidden thing, tried as everybody.
class RightsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<TestStore> store_;

    QStringList tables()
    {
        QStringList names;
        for (const auto &row :
             store_->rows(QStringLiteral("select c.relname from pg_class c where c.relnamespace = "
                                         "'outbox'::regnamespace and c.relkind in ('r', 'p') order by 1")))
            names << row.first().toString();
        return names;
    }

    void forEveryone(const QStringList &statements)
    {
        for (const auto login : everybody) {
            auto session = store_->connect(login);
            for (const auto &statement : statements) {
                const QString state = TestStore::sqlState(session, statement);
                QVERIFY2(
                    state == noRight,
                    qPrintable(QStringLiteral("%1 as %2: [%3]").arg(statement, QLatin1String(nameOf(login)), state)));
            }
        }
    }

private Q_SLOTS:
    void initTestCase()
    {
        store_ = std::make_unique<TestStore>();
        store_->stage(QStringLiteral("orders.placed"));
    }
    void cleanupTestCase() { store_.reset(); }

    void nobodyWritesToATable() // S21 S23
    {
        QStringList statements;
        QVERIFY(tables().size() > 8);
        for (const auto &table : tables()) {
            statements << QStringLiteral("delete from outbox.%1").arg(table)
                       << QStringLiteral("truncate outbox.%1").arg(table)
                       << QStringLiteral("insert into outbox.%1 default values").arg(table);
            const QString column =
                store_
                    ->value(
                        QStringLiteral("select attname from pg_attribute where attrelid = ?::regclass and attnum = 1"),
                        {QStringLiteral("outbox.") + table})
                    .toString();
            statements << QStringLiteral("update outbox.%1 set %2 = default").arg(table, column);
        }
        forEveryone(statements);
    }

    void nobodyChangesTheSchema()
    {
        forEveryone({QStringLiteral("create table outbox.mine (id integer)"),
                     QStringLiteral("drop table outbox.pending"),
                     QStringLiteral("alter table outbox.message add column x integer"),
                     QStringLiteral("create function outbox.mine() returns integer language sql as 'select 1'"),
                     QStringLiteral("drop schema outbox cascade")});
    }

    void onlyViewersRead()
    {
        for (const auto login : everybody) {
            auto session = store_->connect(login);
            const bool reads = login == Login::viewer || login == Login::operator_;
            for (const auto &table :
                 {QStringLiteral("message"), QStringLiteral("pending"), QStringLiteral("processing"),
                  QStringLiteral("dispatched"), QStringLiteral("dead_letter"), QStringLiteral("attempt"),
                  QStringLiteral("replay")}) {
                const QString state =
                    TestStore::sqlState(session, QStringLiteral("select * from outbox.%1").arg(table));
                QCOMPARE(state, reads ? QString() : noRight);
            }
        }
    }

    void eachFunctionIsForItsRoleOnly()
    {
        const auto functions = store_->rows(QStringLiteral("select proname, oid::regprocedure::text from pg_proc where "
                                                           "pronamespace = 'outbox'::regnamespace and prorettype <> "
                                                           "'trigger'::regtype"));
        QVERIFY(functions.size() > 15);
        for (const auto &function : functions)
            for (const auto login : everybody) {
                const bool may =
                    store_
                        ->value(QStringLiteral("select has_function_privilege(?, ?::regprocedure, 'execute')"),
                                {QStringLiteral("test_") + QLatin1String(nameOf(login)), function.at(1)})
                        .toBool();
                const bool should = grants().value(function.at(0).toString()).contains(login);
                QVERIFY2(may == should, qPrintable(QStringLiteral("%1 %2 execute %3")
                                                       .arg(QLatin1String(nameOf(login)),
                                                            may ? QStringLiteral("may") : QStringLiteral("may not"),
                                                            function.at(1).toString())));
            }
    }

    void definersPinTheirSearchPath()
    {
        QCOMPARE(
            store_
                ->value(QStringLiteral("select count(*) from pg_proc where pronamespace = 'outbox'::regnamespace and "
                                       "prosecdef and not coalesce(proconfig, '{}')::text like '%search_path=%'"))
                .toInt(),
            0);
        // A function of the caller's that stands in the way is not called with the owner's rights.
        store_->run(QStringLiteral("create schema trap; grant usage, create on schema trap to test_writer"));
        auto session = store_->connect(Login::writer);
        QSqlQuery query(session);
        QVERIFY(query.exec(
            QStringLiteral("create function trap.clock_timestamp() returns timestamptz language plpgsql as $$ "
                           "begin raise exception 'trapped as %', current_user; end $$")));
        QVERIFY(query.exec(QStringLiteral("set search_path = trap, pg_catalog, outbox")));
        QVERIFY2(query.exec(QStringLiteral("select outbox.stage('provider_side_effect', 'a', 1, '{}')")),
                 qPrintable(query.lastError().text()));
    }

    void notEvenTheOwnerEditsWhatWasStagedOrAudited() // S21 S23
    {
        store_->run(QStringLiteral(
            "insert into outbox.replay values (gen_random_uuid(), now(), 'ann', 'fixed', 'busy', 'x'); "
            "insert into outbox.attempt values (gen_random_uuid(), 1, 1, 1, now(), now(), 'busy', 'x')"));
        auto owner = store_->database();
        const auto refused = QStringLiteral("OB020");
        QCOMPARE(TestStore::sqlState(owner, QStringLiteral("update outbox.message set payload = '{}'")), refused);
        QCOMPARE(TestStore::sqlState(owner, QStringLiteral("update outbox.replay set reason = 'other'")), refused);
        QCOMPARE(TestStore::sqlState(owner, QStringLiteral("delete from outbox.replay")), refused);
        QCOMPARE(TestStore::sqlState(owner, QStringLiteral("update outbox.attempt set summary = 'other'")), refused);
    }

    void theDatabaseRefusesStatesThatDoNotExist() // S21
    {
        auto owner = store_->database();
        const auto check = QStringLiteral("23514");
        const auto state = [&](const QString &sql) { return TestStore::sqlState(owner, sql); };
        QCOMPARE(state(QStringLiteral("insert into outbox.processing values (1, gen_random_uuid(), 1, 0, now())")),
                 check);
        QCOMPARE(
            state(QStringLiteral("insert into outbox.dead_letter values (gen_random_uuid(), 1, 1, 1, now(), 'bored', "
                                 "'x')")),
            check);
        QCOMPARE(state(QStringLiteral("insert into outbox.processing values (null, gen_random_uuid(), 1, 1, now())")),
                 QStringLiteral("23502")); // no processing without a lease
    }
};

QTEST_GUILESS_MAIN(RightsTest)

#include "rights_test.moc"
