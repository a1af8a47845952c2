// SPDX-License-Identifier: Apache-2.0
#include "operations/record_list.h"

#include "scene.h"

#include <QSet>
#include <QTest>

using namespace outbox;
using namespace outbox::test;
using namespace outbox::operations;

namespace {

QStringList idsOf(const api::RecordPage &page)
{
    QStringList ids;
    for (const auto &row : page.rows)
        ids << toText(row.id);
    return ids;
}

QStringList reversed(QStringList list)
{
    std::reverse(list.begin(), list.end());
    return list;
}

std::unique_ptr<store::Connection> connectTo(TestStore &store)
{
    auto opened = store::Connection::open(store.address(Login::viewer), {});
    if (!opened)
        qFatal("%s", qPrintable(store::describe(opened.error())));
    return std::move(opened).value();
}

/// Reads to the end, and counts the pages.
QStringList readAll(store::Connection &connection, const api::RecordFilter &filter, int limit, int budget,
                    int *pages = nullptr)
{
    QStringList all;
    std::optional<api::RecordCursor> cursor;
    int count = 0;
    do {
        const auto page = recordList(connection, filter, cursor, limit, budget);
        if (!page)
            qFatal("%s", qPrintable(store::describe(page.error())));
        all << idsOf(*page);
        cursor = page->next;
        ++count;
    } while (cursor && count < 10'000);
    if (pages != nullptr)
        *pages = count;
    return all;
}

api::RecordFilter byState(std::initializer_list<StateKind> states)
{
    api::RecordFilter filter;
    filter.states = QSet<StateKind>(states.begin(), states.end());
    return filter;
}

} // namespace

/// The list of records: keyset pages, filters, and the order of ids.
class RecordListsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsEachStateWithItsOwnData() // S4 S21
    {
        TestStore store;
        Scene scene(store);
        scene.route(QStringLiteral("*"), QStringLiteral("broker"));
        const QString done = scene.stage();
        auto claim = scene.claim();
        scene.complete(claim.fence, claim.ids);
        const QString dead = scene.stage();
        claim = scene.claim();
        scene.deadLetter(claim.fence, claim.ids, QStringLiteral("rejected"), QStringLiteral("422 no such order"));
        const QString running = scene.stage();
        claim = scene.claim();
        const QString waiting = scene.stage();

        auto connection = connectTo(store);
        const auto page = recordList(*connection, {}, {}, 10);
        QVERIFY(page.ok());
        QCOMPARE(idsOf(*page), (QStringList{waiting, running, dead, done}));
        QVERIFY(!page->next);
        QCOMPARE(std::get<Pending>(page->rows[0].state).attempts, 0);
        const auto processing = std::get<Processing>(page->rows[1].state);
        QCOMPARE(processing.attempt, 1);
        QCOMPARE(processing.lease.fence.value(), claim.fence);
        QCOMPARE(processing.lease.owner.value(), scene.worker());
        QCOMPARE(std::get<DeadLetter>(page->rows[2].state).cause, FailureCause::rejected);
        QCOMPARE(std::get<DeadLetter>(page->rows[2].state).reason, QStringLiteral("422 no such order"));
        QCOMPARE(std::get<Dispatched>(page->rows[3].state).attempt, 1);
        QCOMPARE(page->rows[0].destination, QStringLiteral("broker"));
        QCOMPARE(page->rows[0].type, QStringLiteral("orders.placed"));

        // Each state alone gives the same rows.
        for (int i = 0; i < 4; ++i) {
            const auto alone = recordList(*connection, byState({kindOf(page->rows[i].state)}), {}, 10);
            QVERIFY(alone.ok());
            QCOMPARE(idsOf(*alone), QStringList{toText(page->rows[i].id)});
            QCOMPARE(alone->rows[0].destination, QStringLiteral("broker"));
        }
        // Some of them are one list.
        const auto some = recordList(*connection, byState({StateKind::pending, StateKind::dead_letter}), {}, 10);
        QVERIFY(some.ok());
        QCOMPARE(idsOf(*some), (QStringList{waiting, dead}));
    }

    void keepsMicroseconds() // P18
    {
        TestStore store;
        store.stage(QStringLiteral("orders.placed"));
        auto connection = connectTo(store);
        const auto page = recordList(*connection, {}, {}, 1);
        QVERIFY(page.ok());
        QCOMPARE(
            static_cast<qint64>(page->rows[0].stagedAt.time_since_epoch().count()),
            store.value(QStringLiteral("select (date_part('epoch', staged_at) * 1000000)::bigint from outbox.message"))
                .toLongLong());
    }

    void pagesCoverEverythingOnce_data()
    {
        QTest::addColumn<int>("limit");
        QTest::addColumn<int>("budget");
        QTest::newRow("one by one") << 1 << 10'000;
        QTest::newRow("exact fit") << 5 << 10'000;
        QTest::newRow("uneven") << 7 << 10'000;
        QTest::newRow("all") << 500 << 10'000;
        QTest::newRow("small budget") << 3 << 4;
    }

    void pagesCoverEverythingOnce() // S4
    {
        QFETCH(int, limit);
        QFETCH(int, budget);
        TestStore store;
        QStringList staged;
        for (int i = 0; i < 25; ++i)
            staged << store.stage(i % 5 == 0 ? QStringLiteral("rare") : QStringLiteral("usual"));
        auto connection = connectTo(store);
        QCOMPARE(readAll(*connection, {}, limit, budget), reversed(staged));
        QCOMPARE(readAll(*connection, byState({StateKind::pending}), limit, budget), reversed(staged));
        QCOMPARE(readAll(*connection, byState({StateKind::pending, StateKind::processing}), limit, budget),
                 reversed(staged));
        api::RecordFilter rare;
        rare.type = QStringLiteral("rare");
        QCOMPARE(readAll(*connection, rare, limit, budget).size(), 5);
        rare.states = {StateKind::pending, StateKind::dispatched};
        QCOMPARE(readAll(*connection, rare, limit, budget).size(), 5);
    }

    void aSeldomFilterStopsAtItsBudget()
    {
        TestStore store;
        const QString wanted = store.stage(QStringLiteral("needle"));
        store.run(QStringLiteral("select count(outbox.stage('provider_side_effect', 'hay', 1, '{}'::text))"
                                 " from generate_series(1, 300)"));
        auto connection = connectTo(store);
        api::RecordFilter needle;
        needle.type = QStringLiteral("needle");
        const auto first = recordList(*connection, needle, {}, 10, 100);
        QVERIFY(first.ok());
        QVERIFY(first->rows.isEmpty());
        QVERIFY(first->next);
        int pages = 0;
        QCOMPARE(readAll(*connection, needle, 10, 100, &pages), QStringList{wanted});
        QVERIFY(pages >= 3);
    }

    void filtersByTenantAndDestination()
    {
        TestStore store;
        Scene scene(store);
        scene.route(QStringLiteral("a.*"), QStringLiteral("first"));
        scene.route(QStringLiteral("b.*"), QStringLiteral("second"));
        const QString north = store
                                  .value(QStringLiteral("select outbox.stage('provider_side_effect', 'a.x', 1, "
                                                        "'{}'::text, tenant => 'north')"))
                                  .toString();
        const QString other = scene.stage(QStringLiteral("b.x"));
        const QString nowhere = scene.stage(QStringLiteral("c.x"));
        auto connection = connectTo(store);
        for (const auto &states : {QSet<StateKind>{}, QSet<StateKind>{StateKind::pending}}) {
            api::RecordFilter filter;
            filter.states = states;
            filter.tenant = QStringLiteral("north");
            QCOMPARE(readAll(*connection, filter, 10, 100), QStringList{north});
            filter.tenant.clear();
            filter.destination = QStringLiteral("second");
            QCOMPARE(readAll(*connection, filter, 10, 100), QStringList{other});
            filter.destination.clear();
            filter.type = QStringLiteral("c.x");
            QCOMPARE(readAll(*connection, filter, 10, 100), QStringList{nowhere});
        }
    }

    void idsFromElsewhereComeAfterThePresent_data()
    {
        QTest::addColumn<int>("limit");
        for (const int limit : {1, 2, 3, 4, 10})
            QTest::newRow(qPrintable(QString::number(limit))) << limit;
    }

    void idsFromElsewhereComeAfterThePresent()
    {
        QFETCH(int, limit);
        TestStore store;
        const QStringList brought{QStringLiteral("ffffffff-ffff-ffff-ffff-ffffffffffff"),
                                  QStringLiteral("9d2f0b66-7d5a-4c39-8f0e-3a1c2b4d5e6f"),
                                  QStringLiteral("03c00000-0000-0000-0000-000000000000"),
                                  QStringLiteral("016effff-ffff-ffff-ffff-ffffffffffff"),
                                  QStringLiteral("00000000-0000-0000-0000-000000000000")};
        for (const auto &id : brought)
            store.run(QStringLiteral("select outbox.stage('provider_side_effect', 't', 1, '{}'::text, id => ?::uuid)"),
                      {id});
        const QString edge = QStringLiteral("016f0000-0000-0000-0000-000000000000");
        store.run(QStringLiteral("select outbox.stage('provider_side_effect', 't', 1, '{}'::text, id => ?::uuid)"),
                  {edge});
        const QString present = store.stage(QStringLiteral("t"));
        const QStringList expected = QStringList{present, edge} + brought;
        auto connection = connectTo(store);
        QCOMPARE(readAll(*connection, {}, limit, 10'000), expected);
        QCOMPARE(readAll(*connection, byState({StateKind::pending}), limit, 10'000), expected);
        QCOMPARE(readAll(*connection, byState({StateKind::pending, StateKind::dead_letter}), limit, 10'000), expected);
    }

    void groupsDeadLettersAndListsThem() // S13
    {
        TestStore store;
        Scene scene(store);
        scene.route(QStringLiteral("a.*"), QStringLiteral("first"));
        const QString routed = scene.stage(QStringLiteral("a.x"));
        const QString timedOut = scene.stage(QStringLiteral("a.x"));
        const QString unrouted = scene.stage(QStringLiteral("b.x"));
        const auto claim = scene.claim();
        scene.deadLetter(claim.fence, {routed, unrouted}, QStringLiteral("rejected"), QStringLiteral("422"));
        scene.deadLetter(claim.fence, {timedOut}, QStringLiteral("timeout"), QStringLiteral("no answer"));
        auto connection = connectTo(store);
        const auto list = [&](const std::optional<api::DeadLetterGroup> &group) {
            const auto page = deadLetterList(*connection, group, {}, 10);
            return page.ok() ? idsOf(*page) : QStringList();
        };
        QCOMPARE(list({}), (QStringList{unrouted, timedOut, routed}));
        api::DeadLetterGroup group{
            FailureCause::rejected, QStringLiteral("a.x"), 1, QStringLiteral("first"), 1, {}, {}, {}};
        QCOMPARE(list(group), QStringList{routed});
        group.cause = FailureCause::timeout;
        QCOMPARE(list(group), QStringList{timedOut});
        group = {FailureCause::rejected, QStringLiteral("b.x"), 1, QString(), 1, {}, {}, {}};
        QCOMPARE(list(group), QStringList{unrouted});
        group.version = 2;
        QCOMPARE(list(group), QStringList());
    }
};

QTEST_GUILESS_MAIN(RecordListsTest)

#include "record_lists_test.moc"
