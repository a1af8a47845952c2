// SPDX-License-Identifier: Apache-2.0
#include "test_worker.h"

#include <QTest>

using namespace outbox;
using namespace outbox::test;

namespace {

constexpr int limit = 20000;

/// Keeps one record until it is told to go on, and takes the next then.
class SlowSink {
public:
    delivery::DestinationEntry entry(const QString &name, int window)
    {
        return {DestinationName(name), window, [this](delivery::OutcomeSink &sink) {
                    return std::make_unique<destination::InProcessDestination>(
                        sink,
                        [this](const Message &, int, destination::Completion completion) {
                            const std::lock_guard guard(mutex_);
                            held_.push_back(std::move(completion));
                            ++received_;
                        },
                        1);
                }};
    }
    void acceptHeld()
    {
        std::vector<destination::Completion> taken;
        {
            const std::lock_guard guard(mutex_);
            taken.swap(held_);
        }
        for (const auto &completion : taken)
            completion(delivery::Accepted{});
    }
    int received() const
    {
        const std::lock_guard guard(mutex_);
        return received_;
    }

private:
    mutable std::mutex mutex_;
    std::vector<destination::Completion> held_;
    int received_ = 0;
};

} // namespace

/// What ends the sleep of a worker that polls once a minute: a test that waited for that would time out.
class WorkerIdleTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSlowDestinationGoesOnWhenItHasRoomAgain() // S6 S7
    {
        TestStore store;
        auto settings = TestWorker::quickSettings();
        settings.routes = {{QStringLiteral("slow"), QStringLiteral("slow")},
                           {QStringLiteral("*"), QStringLiteral("fast")}};
        SlowSink slow;
        SlowSink fast;
        runtime::WorkerRuntime worker(store.address(), settings,
                                      {slow.entry(QStringLiteral("slow"), 1), fast.entry(QStringLiteral("fast"), 1)});
        QSignalSpy asleep(&worker, &runtime::WorkerRuntime::fellAsleep);
        QSignalSpy stopped(&worker, &runtime::WorkerRuntime::stopped);
        constexpr int records = 6; // more than are claimed at once
        for (int i = 0; i < records; ++i)
            store.stage(QStringLiteral("slow"));
        store.stage(QStringLiteral("quick"));
        worker.start();
        QTRY_COMPARE_WITH_TIMEOUT(slow.received(), 1, limit);
        QTRY_COMPARE_WITH_TIMEOUT(fast.received(), 1, limit);
        fast.acceptHeld();
        QTRY_VERIFY_WITH_TIMEOUT(!asleep.isEmpty(), limit);
        for (int next = 2; next <= records; ++next) {
            slow.acceptHeld();
            QTRY_COMPARE_WITH_TIMEOUT(slow.received(), next, limit);
        }
        slow.acceptHeld();
        worker.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!stopped.isEmpty(), limit);
    }

    void whatWasStagedForLaterComesInTime() // S6
    {
        TestStore store;
        TestWorker worker(store.address(), accept);
        worker.runtime->start();
        QTRY_VERIFY_WITH_TIMEOUT(!worker.asleep.isEmpty(), limit);
        store.run(QStringLiteral("select outbox.stage('provider_side_effect', 'later', 1, '{}', not_before => "
                                 "clock_timestamp() + interval '700 milliseconds')"));
        QTRY_COMPARE_WITH_TIMEOUT(worker.received().size(), 1, limit);
    }

    void drainedMeansEveryLaneHoweverSmallTheBatch() // S6
    {
        TestStore store;
        auto settings = TestWorker::quickSettings();
        settings.batch = 1;
        for (int lane = 0; lane < 12; ++lane)
            store.stage(QStringLiteral("type-%1").arg(lane));
        TestWorker worker(store.address(), accept, settings);
        QSignalSpy drained(worker.runtime.get(), &runtime::WorkerRuntime::drained);
        worker.runtime->start();
        QTRY_COMPARE_WITH_TIMEOUT(worker.received().size(), 12, limit);
        for (int lane = 0; lane < 12; ++lane) {
            QTRY_VERIFY_WITH_TIMEOUT(!worker.asleep.isEmpty(), limit);
            drained.clear();
            const int before = static_cast<int>(worker.received().size());
            store.stage(QStringLiteral("type-%1").arg(lane));
            worker.runtime->reportDrained();
            QTRY_COMPARE_WITH_TIMEOUT(drained.size(), 1, limit);
            QCOMPARE(worker.received().size(), before + 1);
        }
    }
};

QTEST_GUILESS_MAIN(WorkerIdleTest)
#include "worker_idle_test.moc"
