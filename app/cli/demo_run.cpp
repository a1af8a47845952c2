// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/demo_run.h"

#include "base/log.h"
#include "catalogue/catalogue.h"
#include "catalogue/worker.h"
#include "operations/replay.h"

namespace outbox::cli {

namespace {

constexpr int transactionsPerSecond = 200;
constexpr milliseconds lookEvery{100};
constexpr std::chrono::minutes patience{3};

demo::DemoPlan planOf(int transactions)
{
    demo::DemoPlan plan;
    plan.perSecond = transactionsPerSecond;
    plan.transactions = transactions;
    return plan;
}

} // namespace

DemoRun::DemoRun(const store::ServerAddress &server, int transactions)
    : server_(server), workload_(planOf(transactions)),
      deadline_(Deadline::in(std::chrono::duration_cast<milliseconds>(patience) +
                                 seconds(2 * transactions / transactionsPerSecond),
                             SteadyClock()))
{
    app::Settings ours;
    workload_.applyTo(ours);
    worker_ = std::make_unique<runtime::WorkerRuntime>(server, app::workerSettingsOf(ours), app::catalogueOf(ours));
    connect(&workload_, &demo::DemoWorkload::finished, this, [this] { staged_ = true; });
    connect(worker_.get(), &runtime::WorkerRuntime::stopped, this, &DemoRun::ended);
    connect(&look_, &QTimer::timeout, this, &DemoRun::look);
}

DemoRun::~DemoRun() = default;

void DemoRun::start()
{
    worker_->start();
    workload_.start(server_);
    look_.start(lookEvery);
}

void DemoRun::stop()
{
    look_.stop();
    workload_.stop();
    worker_->stop();
}

qint64 DemoRun::missing(const demo::DemoIds &ids, bool withBroken) const
{
    const auto accepted = workload_.accepted();
    qint64 count = 0;
    for (const auto &id : ids.committed)
        if ((withBroken || !ids.broken.contains(id)) && !accepted.contains(toText(id).toLatin1()))
            ++count;
    return count;
}

void DemoRun::look()
{
    if (deadline_.passed(SteadyClock().now())) {
        stop();
        return;
    }
    if (!staged_)
        return;
    const auto ids = workload_.ids();
    if (missing(ids, false) > 0)
        return;
    if (missing(ids, true) == 0)
        stop();
    else
        replayDeadLetters();
}

void DemoRun::replayDeadLetters()
{
    const auto ids = workload_.ids();
    // Only when all of them have died: from the repair on nobody dies any more.
    if (!repaired_ && worker_->status().dead < ids.broken.size())
        return;
    workload_.repair();
    repaired_ = true;
    const auto connection = store::Connection::open(server_, {});
    if (!connection)
        return;
    const auto broken = ids.broken.values();
    for (qsizetype at = 0; at < broken.size(); at += operations::mostReplayed) {
        const auto done = operations::replay(**connection, broken.mid(at, operations::mostReplayed),
                                             QStringLiteral("demo: the receiver was repaired"));
        if (!done) {
            log::warning("demo.replay-failed", {{"reason", store::describe(done.error())}});
            return;
        }
        for (const auto &verdict : done->verdicts)
            replayed_ += verdict.replayed ? 1 : 0;
    }
}

DemoReport DemoRun::report() const
{
    const auto ids = workload_.ids();
    const auto status = worker_->status();
    const auto accepted = workload_.accepted();
    DemoReport report{workload_.counts(), status.accepted, status.retried, status.dead, replayed_, 0, 0};
    report.missing = missing(ids, true);
    for (const auto &id : ids.rolledBack)
        report.phantoms += accepted.contains(toText(id).toLatin1()) ? 1 : 0;
    return report;
}

} // namespace outbox::cli
