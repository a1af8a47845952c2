// SPDX-License-Identifier: Apache-2.0
#include "operations/dead_letter_groups.h"
#include "operations/errors.h"
#include "operations/message_types.h"
#include "operations/overview.h"
#include "operations/record_detail.h"
#include "operations/replay.h"
#include "operations/stage_message.h"
#include "operations/throughput.h"

#include "scene.h"

#include <QTest>

using namespace outbox;
using namespace outbox::test;
using namespace outbox::operations;

namespace {

std::unique_ptr<store::Connection> connectTo(TestStore &store, Login login = Login::viewer)
{
    auto opened = store::Connection::open(store.address(login), {});
    if (!opened)
        qFatal("%s", qPrintable(store::describe(opened.error())));
    return std::move(opened).value();
}

MessageId idOf(const QString &text) { return MessageId(QUuid::fromString(text)); }

QString stateOfRefusal(const store::StoreError &error)
{
    const auto *refused = std::get_if<store::Refused>(&error);
    return refused == nullptr ? store::describe(error) : refused->sqlState;
}

} // namespace

/// What an operator asks and does, against real rows.
class OperationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void overviewCountsEachState_data()
    {
        QTest::addColumn<bool>("exact");
        QTest::newRow("bounded") << false;
        QTest::newRow("exact") << true;
    }

    void overviewCountsEachState() // D2
    {
        QFETCH(bool, exact);
        const auto counting = exact ? Counting::exact : Counting::bounded;
        TestStore store;
        auto connection = connectTo(store);
        const auto empty = overview(*connection, counting);
        QVERIFY(empty.ok());
        QCOMPARE(empty->pending.value, 0);
        QVERIFY(!empty->oldestPendingAge);

        Scene scene(store);
        for (int i = 0; i < 7; ++i)
            scene.stage();
        auto claim = scene.claim(6);
        scene.complete(claim.fence, claim.ids.mid(0, 2));
        scene.retry(claim.fence, claim.ids.mid(2, 1), 3600, QStringLiteral("timeout"), QStringLiteral("no answer"));
        scene.deadLetter(claim.fence, claim.ids.mid(3, 1), QStringLiteral("rejected"), QStringLiteral("422"));
        scene.complete(claim.fence + 1, claim.ids.mid(4, 1)); // refused: not its fence
        const auto seen = overview(*connection, counting);
        QVERIFY(seen.ok());
        QCOMPARE(seen->pending.value, 2);
        QVERIFY(seen->pending.exact);
        QCOMPARE(seen->processing.value, 2);
        QCOMPARE(seen->deadLetters.value, 1);
        QCOMPARE(seen->dispatchedTotal, 2);
        QCOMPARE(seen->retriedTotal, 1);
        QCOMPARE(seen->deadTotal, 1);
        QCOMPARE(seen->refusedTotal, 1); // S8
        QVERIFY(seen->oldestPendingAge);
        QCOMPARE(seen->oldestPendingType, QStringLiteral("orders.placed"));
    }

    void theOldestIsTheOneThatWaitsLongest_data()
    {
        QTest::addColumn<bool>("exact");
        QTest::newRow("bounded") << false;
        QTest::newRow("exact") << true;
    }

    void theOldestIsTheOneThatWaitsLongest()
    {
        QFETCH(bool, exact);
        const auto counting = exact ? Counting::exact : Counting::bounded;
        TestStore store;
        auto connection = connectTo(store);
        const auto add = [&](const QString &type, int attempt, const QString &due, const QString &staged) {
            store.run(QStringLiteral("update outbox.pending set attempt = ?, next_attempt_at = now() + ?::interval,"
                                     " staged_at = now() + ?::interval where id = ?::uuid"),
                      {attempt, due, staged, store.stage(type)});
        };
        const auto oldest = [&] {
            const auto seen = overview(*connection, counting);
            return seen && seen->oldestPendingAge ? QStringLiteral("%1 %2")
                                                        .arg(seen->oldestPendingType)
                                                        .arg(seen->oldestPendingAge->count() / 60000)
                                                  : QStringLiteral("none");
        };
        add(QStringLiteral("later"), 0, QStringLiteral("1 hour"), QStringLiteral("-5 hours"));
        QCOMPARE(oldest(), QStringLiteral("none"));
        add(QStringLiteral("fresh"), 0, QStringLiteral("-10 minutes"), QStringLiteral("-10 minutes"));
        QCOMPARE(oldest(), QStringLiteral("fresh 10"));
        // Tried before, not due for an hour, staged long ago: it waits since it was staged.
        add(QStringLiteral("tried"), 3, QStringLiteral("1 hour"), QStringLiteral("-90 minutes"));
        QCOMPARE(oldest(), QStringLiteral("tried 90"));
        // The head of a lane was tried before: its due time is not its age.
        add(QStringLiteral("fresh"), 1, QStringLiteral("-100 minutes"), QStringLiteral("-120 minutes"));
        QCOMPARE(oldest(), QStringLiteral("fresh 120"));
        // Delayed by its writer: it waits since it is due.
        add(QStringLiteral("delayed"), 0, QStringLiteral("-200 minutes"), QStringLiteral("-400 minutes"));
        QCOMPARE(oldest(), QStringLiteral("delayed 200"));
    }

    void throughputFillsGaps() // D2
    {
        TestStore store;
        Scene scene(store);
        for (int i = 0; i < 3; ++i)
            scene.stage();
        const auto claim = scene.claim();
        scene.complete(claim.fence, claim.ids);
        store.run(QStringLiteral("insert into outbox.tally values ('-infinity', 0, 1000, 0, 0, 0)"));
        auto connection = connectTo(store);
        const auto points = throughput(*connection, std::chrono::minutes(10), seconds(60));
        QVERIFY(points.ok());
        QVERIFY(points->size() == 11 || points->size() == 10);
        std::int64_t sum = 0;
        for (qsizetype i = 0; i < points->size(); ++i) {
            sum += (*points)[i].dispatched;
            QCOMPARE((*points)[i].width, milliseconds(60000));
            if (i > 0)
                QVERIFY((*points)[i].at - (*points)[i - 1].at == seconds(60));
        }
        QCOMPARE(sum, 3);
        // A width below the tally's own is widened.
        const auto fine = throughput(*connection, std::chrono::minutes(1), seconds(1));
        QVERIFY(fine.ok());
        QCOMPARE(fine->constFirst().width, milliseconds(10000));
    }

    void detailTellsEverything() // S4 S13 S23 D3
    {
        TestStore store;
        Scene scene(store);
        scene.route(QStringLiteral("*"), QStringLiteral("broker"));
        const QString payload = QStringLiteral("{\"b\": 1,  \"a\":\"\\u0000\\n é\", \"b\": 2.50}");
        const QString id =
            store
                .value(QStringLiteral("select outbox.stage('integration_event', 'orders.placed', 3, ?::text,"
                                      " event_record => 'order-7', tenant => 'north',"
                                      " occurred_at => '2020-02-29 12:00:00.000001Z',"
                                      " headers => '{\"trace\":\"00-1\"}')"),
                       {payload})
                .toString();
        auto connection = connectTo(store);
        auto claim = scene.claim();
        scene.retry(claim.fence, claim.ids, 0, QStringLiteral("timeout"), QStringLiteral("no answer"));
        claim = scene.claim();
        const auto running = recordDetail(*connection, idOf(id));
        QVERIFY(running.ok() && running->has_value());
        QCOMPARE(std::get<Processing>((*running)->state).attempt, 2);
        QCOMPARE((*running)->worker, QStringLiteral("scene"));
        QVERIFY((*running)->claimedAt > (*running)->stagedAt);
        scene.deadLetter(claim.fence, claim.ids, QStringLiteral("rejected"), QStringLiteral("422"));
        store.run(QStringLiteral("select outbox.replay(array[?]::uuid[], 'repaired')"), {id});

        const auto answer = recordDetail(*connection, idOf(id));
        QVERIFY(answer.ok() && answer->has_value());
        const auto &record = **answer;
        QCOMPARE(toText(record.message.id), id);
        QCOMPARE(std::get<IntegrationEvent>(record.message.kind).eventRecord, QStringLiteral("order-7"));
        QCOMPARE(record.message.version.value(), 3);
        QCOMPARE(record.message.payload, payload.toUtf8());
        QCOMPARE(record.message.tenant, QStringLiteral("north"));
        QCOMPARE(record.message.headers, (QList<Header>{{QStringLiteral("trace"), QStringLiteral("00-1")}}));
        QCOMPARE(static_cast<qint64>(record.message.occurredAt.time_since_epoch().count()), 1582977600000001);
        QCOMPARE(record.destination, QStringLiteral("broker"));
        QCOMPARE(std::get<Pending>(record.state).attempts, 0);
        QCOMPARE(record.attempts.size(), 2);
        QCOMPARE(record.attempts[0].number, 1);
        QCOMPARE(record.attempts[0].cause, FailureCause::timeout);
        QCOMPARE(record.attempts[0].worker, QStringLiteral("scene"));
        QCOMPARE(record.attempts[1].summary, QStringLiteral("422"));
        QCOMPARE(record.replays.size(), 1);
        QCOMPARE(record.replays[0].reason, QStringLiteral("repaired"));
        QCOMPARE(record.replays[0].failure, QStringLiteral("422"));
        QVERIFY(record.readAt >= record.replays[0].at);

        const auto none = recordDetail(*connection, MessageId(QUuid::createUuid()));
        QVERIFY(none.ok() && !none->has_value());
    }

    void groupsWhatFailedAlike() // S13
    {
        TestStore store;
        Scene scene(store);
        scene.route(QStringLiteral("*"), QStringLiteral("broker"));
        QStringList ids;
        for (int i = 0; i < 5; ++i)
            ids << scene.stage(i < 3 ? QStringLiteral("a") : QStringLiteral("b"));
        const auto claim = scene.claim();
        scene.deadLetter(claim.fence, ids.mid(0, 2), QStringLiteral("rejected"), QStringLiteral("first"));
        scene.deadLetter(claim.fence, ids.mid(2, 1), QStringLiteral("rejected"), QStringLiteral("newest"));
        scene.deadLetter(claim.fence, ids.mid(3, 2), QStringLiteral("timeout"), QStringLiteral("no answer"));
        auto connection = connectTo(store);
        const auto groups = deadLetterGroups(*connection);
        QVERIFY(groups.ok());
        QCOMPARE(groups->size(), 2);
        QCOMPARE((*groups)[0].count, 3);
        QCOMPARE((*groups)[0].cause, FailureCause::rejected);
        QCOMPARE((*groups)[0].type, QStringLiteral("a"));
        QCOMPARE((*groups)[0].destination, QStringLiteral("broker"));
        QCOMPARE((*groups)[0].sampleReason, QStringLiteral("newest"));
        QVERIFY((*groups)[0].firstFailedAt < (*groups)[0].lastFailedAt);
        QCOMPARE((*groups)[1].cause, FailureCause::timeout);
    }

    void replayGivesEachItsVerdict() // S22 S23 D4
    {
        TestStore store;
        Scene scene(store);
        const QString dead = scene.stage();
        auto claim = scene.claim();
        scene.deadLetter(claim.fence, claim.ids, QStringLiteral("rejected"), QStringLiteral("422"));
        const QString waiting = scene.stage();
        const auto unknown = MessageId(QUuid::createUuid());

        auto viewer = connectTo(store);
        const auto denied = replay(*viewer, {idOf(dead)}, QStringLiteral("I may not"));
        QVERIFY(!denied.ok());
        QCOMPARE(store::nameOf(denied.error()), QStringLiteral("no-rights"));
        QCOMPARE(scene.stateOf(dead), QStringLiteral("1 dead_letter"));

        auto connection = connectTo(store, Login::operator_);
        const auto blank = replay(*connection, {idOf(dead)}, QStringLiteral("  "));
        QVERIFY(!blank.ok());
        QCOMPARE(stateOfRefusal(blank.error()), QStringLiteral("OB040"));
        const auto done =
            replay(*connection, {unknown, idOf(waiting), idOf(dead), idOf(dead)}, QStringLiteral("fixed"));
        QVERIFY(done.ok());
        QCOMPARE(done->actor, QStringLiteral("test_operator"));
        QCOMPARE(done->verdicts.size(), 3);
        QCOMPARE(done->verdicts[0].why, QStringLiteral("no such record"));
        QCOMPARE(done->verdicts[1].why, QStringLiteral("not a dead letter"));
        QVERIFY(done->verdicts[2].replayed);
        QCOMPARE(scene.stateOf(dead), QStringLiteral("1 pending"));
        QCOMPARE(store.value(QStringLiteral("select actor || ' ' || reason || ' ' || failure from outbox.replay"))
                     .toString(),
                 QStringLiteral("test_operator fixed 422"));
    }

    void namesAllTypes()
    {
        TestStore store;
        for (const auto &type : {QStringLiteral("b"), QStringLiteral("a"), QStringLiteral("b")})
            store.stage(type);
        store.stage(QStringLiteral("a"), QStringLiteral("{}"), 2);
        auto connection = connectTo(store);
        const auto types = messageTypes(*connection);
        QVERIFY(types.ok());
        QCOMPARE(*types, (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    }

    void stagesByHand() // S3
    {
        TestStore store;
        auto connection = connectTo(store, Login::superuser);
        StageRequest request;
        request.kind = QStringLiteral("provider_side_effect");
        request.type = QStringLiteral("t");
        request.payload = "{\"quote\": \"it's \\\\ \\u0000\", \"b\":1, \"a\":2 }";
        request.headers = "{\"k\":\"v'\\\\\"}";
        const auto id = stageMessage(*connection, request);
        QVERIFY2(id.ok(), id.ok() ? "" : qPrintable(store::describe(id.error())));
        const auto record = recordDetail(*connection, *id);
        QVERIFY(record.ok() && record->has_value());
        QCOMPARE((*record)->message.payload, request.payload);
        QCOMPARE((*record)->message.headers, (QList<Header>{{QStringLiteral("k"), QStringLiteral("v'\\")}}));

        request.payload = QByteArray("{\"a\":1}\0{", 9);
        QCOMPARE(stateOfRefusal(stageMessage(*connection, request).error()), QStringLiteral("OB004"));
        request.payload = "\"\xff\"";
        QCOMPARE(stateOfRefusal(stageMessage(*connection, request).error()), QStringLiteral("OB004"));
        request.payload = "{";
        QCOMPARE(stateOfRefusal(stageMessage(*connection, request).error()), QStringLiteral("OB004"));
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.message")).toInt(), 1);
    }

    void stagesInTheTransactionUnderWay() // S3
    {
        TestStore store;
        auto connection = connectTo(store, Login::superuser);
        StageRequest request;
        request.kind = QStringLiteral("provider_side_effect");
        request.type = QStringLiteral("t");
        request.payload = "{}";
        const auto rolledBack = connection->transaction<Done>([&]() -> Result<Done, store::StoreError> {
            const auto id = stageMessage(*connection, request);
            if (!id)
                return id.error();
            return store::StoreError(store::Conflict{});
        });
        QVERIFY(!rolledBack.ok());
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.message")).toInt(), 0);
    }

    void errorsKeepTheirMeaning() // S14
    {
        using Kind = api::OperationError::Kind;
        using Why = store::Unavailable::Why;
        QCOMPARE(operationError(store::Unavailable{Why::timeout, {}}).kind, Kind::timeout);
        QCOMPARE(operationError(store::Unavailable{Why::starting, {}}).kind, Kind::unavailable);
        QCOMPARE(operationError(store::Refused{QStringLiteral("OB040"), QStringLiteral("no reason"), {}}).kind,
                 Kind::refused);
        QCOMPARE(operationError(store::SchemaTooOld{1, 2}).kind, Kind::unavailable);
        QVERIFY(operationError(store::SchemaTooOld{1, 2}).text.contains(QStringLiteral("outbox migrate")));
    }
};

QTEST_GUILESS_MAIN(OperationsTest)

#include "operations_test.moc"
