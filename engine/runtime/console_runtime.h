// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/console_port.h"
#include "base/log.h"
#include "base/service_thread.h"
#include "delivery/catalogue.h"
#include "dispatch/worker_settings.h"
#include "runtime/query_service.h"
#include "runtime/worker_runtime.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace outbox::runtime {

/// The engine as the window embeds it (D1): one thread for its questions, and a whole worker while this computer
/// dispatches. Made, used and destroyed in the GUI thread, which never waits here.
///
/// end() before destroying: it stops the dispatcher gracefully and, when this program was its last user, the
/// embedded store; `ended` follows. Destroying without it is like a crash.
class ConsoleRuntime final : public api::ConsolePort {
    Q_OBJECT
public:
    ConsoleRuntime(store::StoreAddress address, dispatch::WorkerSettings settings,
                   delivery::DestinationCatalogue catalogue, QObject *parent = nullptr);
    ~ConsoleRuntime() override;

    void overview(api::Reply<api::Overview> reply) override;
    void throughput(seconds span, seconds width, api::Reply<QList<api::ThroughputPoint>> reply) override;
    void records(api::RecordFilter filter, std::optional<api::RecordCursor> cursor, int limit,
                 api::Reply<api::RecordPage> reply) override;
    void record(MessageId id, api::Reply<api::RecordDetail> reply) override;
    void deadLetterGroups(api::Reply<QList<api::DeadLetterGroup>> reply) override;
    void deadLetters(std::optional<api::DeadLetterGroup> group, std::optional<api::RecordCursor> cursor, int limit,
                     api::Reply<api::RecordPage> reply) override;
    void replay(QList<MessageId> ids, QString reason, api::Reply<api::ReplayResult> reply) override;
    void messageTypes(api::Reply<QStringList> reply) override;
    void setDispatching(bool on) override;
    [[nodiscard]] api::StoreStatus storeStatus() const override { return storeStatus_; }
    [[nodiscard]] api::DispatcherStatus dispatcherStatus() const override { return dispatcherStatus_; }

    void end();

Q_SIGNALS:
    void ended();
    /// Where the store can be reached: for a demo workload in the same program.
    void addressKnown(const outbox::store::ServerAddress &address);

private:
    template <typename T, typename Work>
    void ask(api::Reply<T> reply, Work work);
    void startWorker();
    void stopWorker();
    void onWorkerStopped();
    void publishDispatcher();
    void stopQueries();

    const dispatch::WorkerSettings settings_;
    const delivery::DestinationCatalogue catalogue_;
    std::unique_ptr<ServiceThread<QueryService>> queries_;
    std::unique_ptr<WorkerRuntime> worker_;
    std::optional<store::ServerAddress> address_;
    api::StoreStatus storeStatus_;
    api::DispatcherStatus dispatcherStatus_;
    bool wanted_ = false; ///< dispatching, as the operator wishes
    bool ending_ = false;
    log::Listener log_;
    QString newestLine_;
    QTimer tick_;
};

} // namespace outbox::runtime
