// SPDX-License-Identifier: Apache-2.0
#include "dialogs/replay/replay_run.h"
#include "dialogs/replay/verdicts_model.h"
#include "models/attempts_model.h"
#include "models/dead_letter_groups_model.h"
#include "models/records_model.h"
#include "models/replays_model.h"
#include "scripted_data.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace outbox;
using namespace outbox::test;
using namespace outbox::ui;

/// Every model under Qt's own model tester, fetching by hand.
class ModelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordsComePageByPage()
    {
        ScriptedPort port;
        port.rows = pendingRows(450);
        RecordsModel model;
        const auto tester = watch(model);
        model.setSource(sourceOf(port));
        QCOMPARE(model.phase(), ListPhase::loading);
        QTRY_COMPARE(model.rowCount(), 200);
        QVERIFY(model.canFetchMore({}));
        model.fetchMore({});
        QVERIFY(!model.canFetchMore({})); // one page at a time
        QTRY_COMPARE(model.rowCount(), 400);
        model.fetchMore({});
        QTRY_COMPARE(model.rowCount(), 450);
        QVERIFY(!model.canFetchMore({}));
        for (int row = 0; row < 450; ++row)
            QCOMPARE(model.record(row).id, idOf(450 - row));
    }

    void aRefreshChangesRowsAndNotTheList()
    {
        ScriptedPort port;
        port.rows = pendingRows(450);
        RecordsModel model;
        const auto tester = watch(model);
        model.setSource(sourceOf(port));
        QTRY_COMPARE(model.rowCount(), 200);
        model.fetchMore({});
        QTRY_COMPARE(model.rowCount(), 400);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);

        port.rows.prepend(rowOf(451));
        port.rows.prepend(rowOf(452));
        port.rows.removeAt(10); // left the filter
        port.rows[3].state = Dispatched{1, {}};
        const MessageId changed = port.rows[3].id;
        model.refresh();
        QTRY_COMPARE(model.record(0).id, idOf(452));
        QCOMPARE(model.rowCount(), 401);
        QCOMPARE(kindOf(model.record(model.rowOf(changed)).state), StateKind::dispatched);
        QCOMPARE(model.record(400).id, idOf(51));
        for (int row = 1; row < model.rowCount(); ++row)
            QVERIFY(model.record(row).id < model.record(row - 1).id);
        QCOMPARE(reset.count(), 0);
    }

    void aFloodOfNewRecordsReplacesTheList()
    {
        ScriptedPort port;
        port.rows = pendingRows(10);
        RecordsModel model;
        const auto tester = watch(model);
        model.setSource(sourceOf(port));
        QTRY_COMPARE(model.rowCount(), 10);
        port.rows = pendingRows(5000);
        model.refresh();
        QTRY_COMPARE(model.rowCount(), 200);
        QCOMPARE(model.record(0).id, idOf(5000));
        QVERIFY(model.hasMore());
    }

    void lateAnswersToAnEarlierFilterAreDropped()
    {
        ScriptedPort port;
        port.hold = true;
        port.rows = pendingRows(3);
        RecordsModel model;
        const auto tester = watch(model);
        model.setSource(sourceOf(port));
        port.rows = {rowOf(9)};
        model.setSource(sourceOf(port));
        QCOMPARE(port.held.size(), std::size_t{2});
        port.letGo(1);
        QCOMPARE(model.rowCount(), 1);
        port.letGo(0);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.record(0).id, idOf(9));
    }

    void aFailureKeepsWhatIsThere()
    {
        ScriptedPort port;
        port.rows = pendingRows(5);
        RecordsModel model;
        model.setSource(sourceOf(port));
        QTRY_COMPARE(model.rowCount(), 5);
        port.refuse = api::OperationError{api::OperationError::Kind::timeout, QStringLiteral("took longer than 5 s")};
        model.refresh();
        QTRY_VERIFY(model.error().has_value());
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(model.phase(), ListPhase::ready);
        model.setSource(sourceOf(port));
        QTRY_COMPARE(model.phase(), ListPhase::failed);
        port.refuse.reset();
        model.refresh();
        QTRY_COMPARE(model.rowCount(), 5);
        QVERIFY(!model.error());
    }

    void groupsChangeInPlace()
    {
        ScriptedPort port;
        fillWithAfternoon(port);
        auto groups = port.groupsAnswer.value();
        DeadLetterGroupsModel model;
        const auto tester = watch(model);
        model.setGroups(groups);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        groups[0].count += 5;
        model.setGroups(groups);
        QCOMPARE(reset.count(), 0);
        QCOMPARE(model.group(0).count, groups[0].count);
        groups.removeFirst();
        model.setGroups(groups);
        QCOMPARE(reset.count(), 1);
        QCOMPARE(model.rowCount(), int(groups.size()));
    }

    void attemptsAndReplaysGrow()
    {
        const auto record = eventfulRecord(rowOf(1, DeadLetter{1, {}, FailureCause::busy, QStringLiteral("429")}));
        AttemptsModel attempts;
        const auto attemptsTester = watch(attempts);
        attempts.setAttempts(record.attempts.mid(0, 1));
        attempts.setAttempts(record.attempts);
        QCOMPARE(attempts.rowCount(), 2);
        attempts.setAttempts({});
        QCOMPARE(attempts.rowCount(), 0);
        ReplaysModel replays;
        const auto replaysTester = watch(replays);
        replays.setReplays(record.replays);
        QCOMPARE(replays.data(replays.index(0, ReplaysModel::actor), Qt::DisplayRole).toString(),
                 QStringLiteral("ops_lead"));
    }

    // D4
    void aReplayOfAllIsFrozenAndRunsInParts()
    {
        ScriptedPort port;
        for (int number = 1203; number > 0; --number)
            port.rows.append(rowOf(number, DeadLetter{1, {}, FailureCause::rejected, QStringLiteral("no")}));
        ReplayRun run(port);
        VerdictsModel verdicts;
        const auto tester = watch(verdicts);
        connect(&run, &ReplayRun::progressed, &verdicts, &VerdictsModel::append);
        QSignalSpy frozen(&run, &ReplayRun::frozen);
        run.freeze({});
        QVERIFY(frozen.wait());
        QCOMPARE(run.records().size(), 1203);
        // Newcomers do not join.
        port.rows.prepend(rowOf(2000, DeadLetter{1, {}, FailureCause::rejected, QStringLiteral("no")}));
        port.verdict = [](MessageId id) {
            return id == idOf(7) ? api::ReplayVerdict{id, false, QStringLiteral("not a dead letter")}
                                 : api::ReplayVerdict{id, true, {}};
        };
        QSignalSpy finished(&run, &ReplayRun::finished);
        run.start(QStringLiteral("repaired"));
        QVERIFY(finished.wait());
        QCOMPARE(port.replayed.size(), 7);
        for (const auto &part : std::as_const(port.replayed))
            QVERIFY(part.size() <= ReplayRun::partSize && !part.contains(idOf(2000)));
        QCOMPARE(verdicts.replayed(), 1202);
        QCOMPARE(verdicts.refused(), 1);
        QVERIFY(verdicts.asText().contains(toText(idOf(7)) + QStringLiteral("\t✖")));
    }

    // D4
    void aStoppedReplayBeginsNoFurtherPart()
    {
        ScriptedPort port;
        for (int number = 500; number > 0; --number)
            port.rows.append(rowOf(number, DeadLetter{}));
        ReplayRun run(port);
        QSignalSpy frozen(&run, &ReplayRun::frozen);
        run.freeze({});
        QVERIFY(frozen.wait());
        QSignalSpy finished(&run, &ReplayRun::finished);
        connect(&run, &ReplayRun::progressed, &run, &ReplayRun::stop);
        run.start(QStringLiteral("repaired"));
        QVERIFY(finished.wait());
        QCOMPARE(port.replayed.size(), 1);
        QCOMPARE(run.done(), 200);
    }

private:
    static RecordsModel::Source sourceOf(ScriptedPort &port)
    {
        return [&port](auto cursor, int limit, auto reply) { port.records({}, cursor, limit, std::move(reply)); };
    }

    static std::unique_ptr<QAbstractItemModelTester> watch(QAbstractItemModel &model)
    {
        auto tester =
            std::make_unique<QAbstractItemModelTester>(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        // The pages are fetched by the test itself.
        tester->setUseFetchMore(false);
        return tester;
    }
};

QTEST_MAIN(ModelsTest)

#include "models_test.moc"
