// SPDX-License-Identifier: Apache-2.0
#include "runtime/console_runtime.h"

#include "operations/dead_letter_groups.h"
#include "operations/errors.h"
#include "operations/message_types.h"
#include "operations/overview.h"
#include "operations/record_detail.h"
#include "operations/record_list.h"
#include "operations/replay.h"
#include "operations/throughput.h"

#include <QElapsedTimer>

#include <utility>

namespace outbox::runtime {

namespace {

/// The window hears of changes at most four times a second.
constexpr milliseconds tickEvery{250};

bool same(const api::DispatcherStatus &a, const api::DispatcherStatus &b)
{
    return a.phase == b.phase && a.inFlight == b.inFlight && a.accepted == b.accepted && a.failed == b.failed &&
           a.refused == b.refused && a.destinations == b.destinations;
}

} // namespace

ConsoleRuntime::ConsoleRuntime(store::StoreAddress address, dispatch::WorkerSettings settings,
                               delivery::DestinationCatalogue catalogue, QObject *parent)
    : ConsolePort(parent), settings_(std::move(settings)), catalogue_(std::move(catalogue)),
      queries_(std::make_unique<ServiceThread<QueryService>>(std::make_unique<QueryService>(address),
                                                             QStringLiteral("outbox-queries"))),
      log_(this), tick_(this)
{
    storeStatus_.store = store::displayName(address);
    for (const auto &entry : catalogue_)
        dispatcherStatus_.destinations << entry.name.value();

    auto *queries = queries_->service();
    connect(queries, &QueryService::statusChanged, this, [this](const api::StoreStatus &status) {
        storeStatus_ = status;
        Q_EMIT storeStatusChanged(status);
    });
    connect(queries, &QueryService::addressKnown, this, [this](const store::ServerAddress &known) {
        address_ = known;
        Q_EMIT addressKnown(known);
        if (wanted_)
            startWorker();
    });
    connect(queries, &Service::stopped, this, &ConsoleRuntime::ended);
    connect(&log_, &log::Listener::written, this, [this](const log::Line &line) { newestLine_ = line.text; });
    connect(&tick_, &QTimer::timeout, this, [this] {
        publishDispatcher();
        if (!newestLine_.isEmpty())
            Q_EMIT logLine(std::exchange(newestLine_, QString()));
    });
    tick_.start(tickEvery);
    queries_->start();
}

ConsoleRuntime::~ConsoleRuntime() = default;

template <typename T, typename Work>
void ConsoleRuntime::ask(api::Reply<T> reply, Work work)
{
    using Connected = Result<store::Connection *, store::StoreError>;
    queries_->service()->ask([this, reply = std::move(reply),
                              work = std::move(work)](const Connected &connected) -> std::optional<store::StoreError> {
        QElapsedTimer working;
        working.start();
        Result<T, store::StoreError> found =
            connected ? work(**connected) : Result<T, store::StoreError>(connected.error());
        const milliseconds cost{working.elapsed()};
        std::optional<store::StoreError> error;
        if (!found)
            error = found.error();
        api::Answer<T> answer = found ? api::Answer<T>(std::move(found).value())
                                      : api::Answer<T>(operations::operationError(found.error()));
        // Back in the GUI thread: only there may the receiver be looked at.
        QMetaObject::invokeMethod(
            this,
            [reply, answer = std::move(answer), cost] {
                if (reply.receiver)
                    reply.call(answer, cost);
            },
            Qt::QueuedConnection);
        return error;
    });
}

void ConsoleRuntime::overview(api::Reply<api::Overview> reply)
{
    ask(std::move(reply), [](store::Connection &c) { return operations::overview(c, operations::Counting::bounded); });
}

void ConsoleRuntime::throughput(seconds span, seconds width, api::Reply<QList<api::ThroughputPoint>> reply)
{
    ask(std::move(reply), [span, width](store::Connection &c) { return operations::throughput(c, span, width); });
}

void ConsoleRuntime::records(api::RecordFilter filter, std::optional<api::RecordCursor> cursor, int limit,
                             api::Reply<api::RecordPage> reply)
{
    ask(std::move(reply), [filter = std::move(filter), cursor, limit](store::Connection &c) {
        return operations::recordList(c, filter, cursor, limit);
    });
}

void ConsoleRuntime::record(MessageId id, api::Reply<api::RecordDetail> reply)
{
    ask(std::move(reply), [id](store::Connection &c) -> Result<api::RecordDetail, store::StoreError> {
        auto found = operations::recordDetail(c, id);
        if (!found)
            return found.error();
        if (!found->has_value()) // "no_data_found": the one refusal that the window shows as "not found"
            return store::StoreError(
                store::Refused{QStringLiteral("P0002"), QStringLiteral("there is no record %1").arg(toText(id)), {}});
        return std::move(**found);
    });
}

void ConsoleRuntime::deadLetterGroups(api::Reply<QList<api::DeadLetterGroup>> reply)
{
    ask(std::move(reply), [](store::Connection &c) { return operations::deadLetterGroups(c); });
}

void ConsoleRuntime::deadLetters(std::optional<api::DeadLetterGroup> group, std::optional<api::RecordCursor> cursor,
                                 int limit, api::Reply<api::RecordPage> reply)
{
    ask(std::move(reply), [group = std::move(group), cursor, limit](store::Connection &c) {
        return operations::deadLetterList(c, group, cursor, limit);
    });
}

void ConsoleRuntime::replay(QList<MessageId> ids, QString reason, api::Reply<api::ReplayResult> reply)
{
    ask(std::move(reply), [ids = std::move(ids), reason = std::move(reason)](store::Connection &c) {
        return operations::replay(c, ids, reason);
    });
}

void ConsoleRuntime::messageTypes(api::Reply<QStringList> reply)
{
    ask(std::move(reply), [](store::Connection &c) { return operations::messageTypes(c); });
}

void ConsoleRuntime::setDispatching(bool on)
{
    if (ending_)
        return;
    wanted_ = on && !catalogue_.empty();
    if (wanted_)
        startWorker();
    else
        stopWorker();
    publishDispatcher();
}

void ConsoleRuntime::startWorker()
{
    using Phase = api::DispatcherStatus::Phase;
    if (worker_ || !address_)
        return;
    worker_ = std::make_unique<WorkerRuntime>(*address_, settings_, catalogue_);
    connect(worker_.get(), &WorkerRuntime::stopped, this, &ConsoleRuntime::onWorkerStopped, Qt::QueuedConnection);
    connect(worker_.get(), &WorkerRuntime::storeChanged, this, [this](bool ready) {
        if (dispatcherStatus_.phase != Phase::stopping)
            dispatcherStatus_.phase = ready ? Phase::running : Phase::starting;
        Q_EMIT dispatcherStatusChanged(dispatcherStatus_);
    });
    dispatcherStatus_.phase = Phase::starting;
    worker_->start();
    Q_EMIT dispatcherStatusChanged(dispatcherStatus_);
}

void ConsoleRuntime::stopWorker()
{
    using Phase = api::DispatcherStatus::Phase;
    if (!worker_ || dispatcherStatus_.phase == Phase::stopping)
        return;
    dispatcherStatus_.phase = Phase::stopping;
    worker_->stop();
    Q_EMIT dispatcherStatusChanged(dispatcherStatus_);
}

void ConsoleRuntime::onWorkerStopped()
{
    publishDispatcher();
    worker_.reset();
    dispatcherStatus_.phase = api::DispatcherStatus::Phase::off;
    dispatcherStatus_.inFlight = 0;
    Q_EMIT dispatcherStatusChanged(dispatcherStatus_);
    if (ending_)
        stopQueries();
    else if (wanted_)
        startWorker();
}

void ConsoleRuntime::publishDispatcher()
{
    if (!worker_)
        return;
    const auto now = worker_->status();
    auto next = dispatcherStatus_;
    next.inFlight = now.inFlight;
    next.accepted = now.accepted;
    next.failed = now.retried + now.dead;
    next.refused = now.refused;
    if (same(next, dispatcherStatus_))
        return;
    dispatcherStatus_ = next;
    Q_EMIT dispatcherStatusChanged(dispatcherStatus_);
}

void ConsoleRuntime::end()
{
    if (ending_)
        return;
    ending_ = true;
    wanted_ = false;
    if (worker_)
        stopWorker();
    else
        stopQueries();
}

void ConsoleRuntime::stopQueries() { queries_->stop(); }

} // namespace outbox::runtime
