// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/service_thread.h"
#include "delivery/catalogue.h"
#include "dispatch/claim_loop.h"
#include "dispatch/counters.h"
#include "dispatch/delivery_host.h"
#include "dispatch/lease_keeper.h"
#include "dispatch/lease_table.h"
#include "dispatch/outcome_writer.h"
#include "dispatch/store_health.h"
#include "dispatch/worker_settings.h"
#include "maintenance/maintenance_loop.h"

#include <memory>
#include <vector>

namespace outbox::runtime {

/// What a worker is doing now.
struct WorkerStatus {
    bool storeReady = false;
    QString reason; ///< why the store is not ready, in words
    std::int64_t sinceUnixMilliseconds = 0;
    int inFlight = 0;
    std::int64_t claimed = 0;
    std::int64_t accepted = 0;
    std::int64_t retried = 0;
    std::int64_t dead = 0;
    std::int64_t released = 0;
    std::int64_t refused = 0;
};

/// A whole worker: owns its services and threads, and knows in which order they start and end.
///
/// Stop is graceful: no more claims; what is in flight ends within the grace period; outcomes are written; the rest
/// is given back; nothing stays leased. Made, used and destroyed in one thread with an event loop. Destroying a
/// running one is like a crash: the leases run out.
class WorkerRuntime final : public QObject {
    Q_OBJECT
public:
    /// Precondition: validate(settings) is empty, the catalogue is not.
    WorkerRuntime(const store::ServerAddress &address, dispatch::WorkerSettings settings,
                  const delivery::DestinationCatalogue &catalogue, QObject *parent = nullptr);
    ~WorkerRuntime() override;

    void start();
    void stop();
    /// From now on drained() tells when nothing is due and nothing of ours is in flight.
    void reportDrained();
    [[nodiscard]] WorkerStatus status() const;

Q_SIGNALS:
    void stopped();
    void drained();
    void storeChanged(bool ready, const QString &reason);
    /// Asleep until woken: for tests.
    void fellAsleep();

private:
    void connectServices();
    void stopHosts();
    void stopWriter();
    void stopUpkeep();
    void stopHealth();

    enum class Phase { idle, running, stopping, ended };

    const SteadyClock clock_;
    const dispatch::WorkerSettings settings_;
    dispatch::LeaseTable leases_;
    dispatch::WorkerCounters counters_;
    dispatch::StoreHealth::Condition condition_;
    Phase phase_ = Phase::idle;
    std::size_t hostsRunning_ = 0;
    int upkeepRunning_ = 0;

    ServiceThread<dispatch::StoreHealth> health_;
    ServiceThread<maintenance::MaintenanceLoop> maintenance_;
    ServiceThread<dispatch::LeaseKeeper> keeper_;
    ServiceThread<dispatch::OutcomeWriter> writer_;
    std::vector<std::unique_ptr<ServiceThread<dispatch::DeliveryHost>>> hosts_;
    ServiceThread<dispatch::ClaimLoop> claims_;
};

} // namespace outbox::runtime
