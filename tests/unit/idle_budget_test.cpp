// SPDX-License-Identifier: Apache-2.0
#include "runtime/chores.h"

#include <QTest>

using namespace outbox;

/// What an idle worker asks of the database.
class IdleBudgetTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anIdleWorkerMakesAtMostThirtyStatementsAMinute() // S6
    {
        dispatch::WorkerSettings settings;
        settings.poll = dispatch::WorkerLimits::leastPoll;
        settings.lease = dispatch::WorkerLimits::leastLease;
        QVERIFY(dispatch::validate(settings).isEmpty());
        const double minute = 60000;
        double statements = minute / double(settings.poll.count());
        for (const auto &chore : runtime::choresOf(settings))
            statements += minute / double(chore->interval().count());
        QVERIFY2(statements <= 30, qPrintable(QString::number(statements)));
        settings.poll -= milliseconds{1};
        QVERIFY(!dispatch::validate(settings).isEmpty());
    }
};

QTEST_APPLESS_MAIN(IdleBudgetTest)
#include "idle_budget_test.moc"
