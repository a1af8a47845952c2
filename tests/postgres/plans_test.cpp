// SPDX-License-Identifier: Apache-2.0
// The plans of the hot statements, in the two situations that mislead a planner: a million records waiting, and
// a processing table that was vacuumed while it was empty.

#include "explained_session.h"
#include "support/test_store.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace outbox::test;

namespace {

constexpr int waiting = 1'000'000;

/// Claims 500 records and leaves their fence and ids in a temporary table for the outcome that follows.
const QByteArray claim = "create temporary table if not exists held (fence bigint, id uuid); truncate held;"
                         "insert into held select fence, id from outbox.claim("
                         "(select max(worker) from outbox.worker), interval '30 seconds',"
                         "(select array_agg(lane) from outbox.lane),"
                         "(select array_agg(500) from outbox.lane),"
                         "(select array_agg(timestamptz '-infinity') from outbox.lane))"_ba;

/// The call of an outcome on everything that is held, with further array arguments.
QByteArray outcome(const QByteArray &function, const QByteArray &further = {})
{
    return "select count(*) from outbox." + function +
           "((select max(worker) from outbox.worker), (select array_agg(fence) from held),"
           "(select array_agg(id) from held)" +
           further + ")";
}

const QByteArray failure =
    ", (select array_agg('timeout'::text) from held), (select array_agg('late'::text) from held),"
    "(select array_agg(interval '1 second') from held)"_ba;
const QByteArray delay = ", (select array_agg(interval '1 hour') from held)"_ba;

/// A table that grows: not the test's own one, not a sequence, not the few lanes, workers and gates.
bool grows(const ScanNode &scan)
{
    const QStringList small{u"held"_s,        u"sleepers"_s,          u"lane"_s,
                            u"worker"_s,      u"destination_pause"_s, u"concurrency_limit"_s,
                            u"rate_limit"_s,  u"failure_streak"_s,    u"open_breaker"_s,
                            u"breaker_rule"_s};
    return !small.contains(scan.relation);
}

QString described(const std::vector<ScanNode> &scans)
{
    QStringList lines;
    for (const auto &scan : scans) {
        lines << u"%1 on %2 %3 %4"_s.arg(scan.kind, scan.relation, scan.index, scan.condition);
    }
    lines.removeDuplicates();
    return lines.join(u", "_s);
}

/// Reads nothing but by looking up an index, or by the place that an index gave. Walking through a whole index
/// once a record is no better than reading the whole table.
bool byIndexOnly(const std::vector<ScanNode> &scans)
{
    return std::all_of(scans.begin(), scans.end(), [](const ScanNode &scan) {
        const bool lookedUp = scan.kind.startsWith(u"Index"_s) && !scan.condition.isEmpty();
        return !grows(scan) || lookedUp || scan.kind == u"Tid Scan"_s;
    });
}

bool reads(const std::vector<ScanNode> &scans, const QString &relation)
{
    return std::any_of(scans.begin(), scans.end(), [&](const ScanNode &scan) { return scan.relation == relation; });
}

} // namespace

/// What processing held when its statistics were taken.
enum class Vacuumed {
    full,   ///< a claim's records
    empty,  ///< nothing
    unseen, ///< a claim's records that were not committed yet
};

class PlansTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void outcomesReadByIndexOnly_data();
    void outcomesReadByIndexOnly();
    void claimReadsByTheClaimIndex();
    void expiredClaimsAreFoundByIndex();

private:
    std::unique_ptr<TestStore> store_;
};

void PlansTest::initTestCase()
{
    store_ = std::make_unique<TestStore>();
    store_->run(u"select outbox.set_route('*', 'somewhere')"_s);
    store_->run(u"select outbox.register_worker('plans', 'localhost', 1, '0', array['somewhere'])"_s);
    store_->run(u"update outbox.breaker_rule set failures = 1000000"_s); // here everything fails, and goes on
    store_->stage(u"orders.placed"_s);
    store_->run(uR"(
        with made as (
            select outbox.uuid_at(now() - interval '1 hour' + i * interval '2 milliseconds') as id,
                   now() - interval '1 hour' + i * interval '2 milliseconds' as at
              from generate_series(1, %1) as i),
        messages as (
            insert into outbox.message (id, kind, type, schema_version, occurred_at, staged_at, payload)
            select id, 'provider_side_effect', 'orders.placed', 1, at, at, '{"n": 1}' from made)
        insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at)
        select id, (select min(lane) from outbox.lane), 0, at, at from made)"_s.arg(waiting));
    store_->run(u"vacuum (analyze) outbox.message"_s);
    store_->run(u"vacuum (analyze) outbox.pending"_s);
    store_->run(u"analyze outbox.dispatched"_s);
}

void PlansTest::outcomesReadByIndexOnly_data()
{
    QTest::addColumn<QByteArray>("call");
    QTest::addColumn<Vacuumed>("vacuumed");
    const std::vector<std::pair<QByteArray, QByteArray>> calls{
        {"complete", outcome("complete")},
        {"retry", outcome("retry", failure + delay)},
        {"dead_letter", outcome("dead_letter", failure)},
        {"release", outcome("release")},
    };
    for (const auto &[name, call] : calls) {
        QTest::addRow("%s, statistics fresh", name.constData()) << call << Vacuumed::full;
        QTest::addRow("%s, processing vacuumed empty", name.constData()) << call << Vacuumed::empty;
        QTest::addRow("%s, processing vacuumed before a commit", name.constData()) << call << Vacuumed::unseen;
    }
}

// S6 S7 S8
void PlansTest::outcomesReadByIndexOnly()
{
    QFETCH(const QByteArray, call);
    QFETCH(const Vacuumed, vacuumed);
    const auto vacuum = [this] {
        store_->run(u"vacuum (analyze) outbox.processing"_s);
        store_->run(u"vacuum (analyze) outbox.lease"_s);
    };
    if (vacuumed == Vacuumed::empty) {
        QCOMPARE(store_->value(u"select count(*) from outbox.processing"_s).toInt(), 0);
        vacuum();
    }
    ExplainedSession session(store_->address());
    // Several rounds: the plan that the session keeps is judged, not only its first one.
    for (int round = 0; round < 4; ++round) {
        session.run("begin");
        session.run(claim);
        if (vacuumed == Vacuumed::unseen && round % 3 == 0) {
            vacuum(); // pages, and no row that it can see: the statistics say that the table is empty for ever
        }
        session.run("commit");
        QCOMPARE(session.run("select count(*) from held"), QByteArray("500"));
        if (vacuumed == Vacuumed::full && round == 0) {
            vacuum();
        }
        const auto scans = session.scansOf(call);
        QVERIFY2(byIndexOnly(scans), qPrintable(described(scans)));
        QVERIFY2(reads(scans, u"processing"_s), qPrintable(described(scans)));
    }
}

// S6 S7
void PlansTest::claimReadsByTheClaimIndex()
{
    ExplainedSession session(store_->address());
    session.run(claim);
    for (int round = 0; round < 4; ++round) {
        const auto scans = session.scansOf(claim);
        QVERIFY2(byIndexOnly(scans), qPrintable(described(scans)));
        const auto head = std::find_if(scans.begin(), scans.end(), [](const ScanNode &scan) {
            return scan.relation == u"pending"_s && scan.index == u"pending_claim"_s;
        });
        QVERIFY2(head != scans.end(), qPrintable(described(scans)));
        session.run(outcome("complete"));
    }
}

// S9
void PlansTest::expiredClaimsAreFoundByIndex()
{
    ExplainedSession session(store_->address());
    session.run(claim);
    store_->run(u"update outbox.lease set expires_at = now() - interval '1 second'"_s);
    const auto scans = session.scansOf("select * from outbox.release_expired("
                                       "(select max(worker) from outbox.worker), 10, interval '1s', interval '5m')");
    QVERIFY2(reads(scans, u"processing"_s), qPrintable(described(scans)));
    const bool good = std::all_of(scans.begin(), scans.end(), [](const ScanNode &scan) {
        return scan.relation != u"processing"_s || scan.kind.startsWith(u"Index"_s) ||
               scan.kind == u"Bitmap Heap Scan"_s;
    });
    QVERIFY2(good, qPrintable(described(scans)));
}

QTEST_GUILESS_MAIN(PlansTest)
#include "plans_test.moc"
