// SPDX-License-Identifier: Apache-2.0
#include "worker_herd.h"

#include <QDateTime>

namespace outbox::chaos {

using namespace Qt::StringLiterals;

WorkerHerd::WorkerHerd(const Scenario &scenario, QStringList arguments, QObject *parent)
    : QObject(parent), scenario_(scenario), arguments_(std::move(arguments)), chance_(scenario.seed)
{
    killing_.setTimerType(Qt::PreciseTimer);
    connect(&killing_, &QTimer::timeout, this, &WorkerHerd::killOne);
}

WorkerHerd::~WorkerHerd()
{
    stopping_ = true;
    for (auto &worker : workers_) {
        if (worker->state() != QProcess::NotRunning) {
            worker->kill();
            worker->waitForFinished();
        }
    }
}

void WorkerHerd::start()
{
    doomed_.assign(std::size_t(scenario_.workers), false);
    for (std::size_t place = 0; place < doomed_.size(); ++place) {
        workers_.push_back(std::make_unique<QProcess>());
        auto *worker = workers_.back().get();
        worker->setProcessChannelMode(QProcess::ForwardedChannels);
        connect(worker, &QProcess::finished, this,
                [this, place](int code, QProcess::ExitStatus status) { ended(place, code, status); });
        startOne(place);
    }
    if (scenario_.killEvery.count() > 0) {
        killing_.start(scenario_.killEvery);
    }
}

void WorkerHerd::startOne(std::size_t place)
{
    doomed_[place] = false;
    workers_[place]->start(scenario_.outbox, arguments_, QIODevice::ReadOnly);
}

void WorkerHerd::killOne()
{
    std::uniform_int_distribution<std::size_t> any(0, workers_.size() - 1);
    const auto place = any(chance_);
    auto &worker = *workers_[place];
    if (worker.state() != QProcess::Running) {
        return;
    }
    kills_.push_back({worker.processId(), QDateTime::currentMSecsSinceEpoch()});
    doomed_[place] = true;
    worker.kill();
}

void WorkerHerd::ended(std::size_t place, int code, QProcess::ExitStatus status)
{
    if (stopping_) {
        return;
    }
    if (!doomed_[place]) {
        surprises_ << u"worker %1 ended by itself (%2 %3)"_s.arg(place)
                          .arg(status == QProcess::CrashExit ? u"crash"_s : u"exit"_s)
                          .arg(code);
    }
    startOne(place);
}

bool WorkerHerd::stop()
{
    killing_.stop();
    stopping_ = true;
    bool good = true;
    for (auto &worker : workers_) {
        worker->terminate();
    }
    for (auto &worker : workers_) {
        const bool done = worker->state() == QProcess::NotRunning || worker->waitForFinished(60000);
        good = good && done && worker->exitStatus() == QProcess::NormalExit && worker->exitCode() == 0;
    }
    return good;
}

} // namespace outbox::chaos
