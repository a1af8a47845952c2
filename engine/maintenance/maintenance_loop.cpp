// SPDX-License-Identifier: Apache-2.0
#include "maintenance/maintenance_loop.h"

#include "base/log.h"

#include <algorithm>

namespace outbox::maintenance {

namespace {

store::ConnectionSettings connectionSettings()
{
    store::ConnectionSettings settings;
    settings.purpose = QStringLiteral("outbox-maintenance");
    settings.needWrite = true;
    settings.lockTimeout = milliseconds{2000};
    return settings;
}

} // namespace

MaintenanceLoop::MaintenanceLoop(store::ServerAddress address, std::vector<std::unique_ptr<Chore>> chores,
                                 const Clock &clock)
    : store::StoreUser(std::move(address), connectionSettings()), clock_(clock), timer_(this)
{
    for (auto &chore : chores)
        chores_.push_back({std::move(chore)});
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &MaintenanceLoop::runDue);
}

void MaintenanceLoop::onConnected() { runDue(); }

void MaintenanceLoop::onDisconnected() { timer_.stop(); }

void MaintenanceLoop::onStop()
{
    timer_.stop();
    disconnectStore();
    finishStop();
}

void MaintenanceLoop::runDue()
{
    if (!isRunning() || chores_.empty())
        return;
    for (auto &entry : chores_) {
        if (connection() == nullptr)
            return;
        if (entry.due > clock_.now())
            continue;
        entry.due = clock_.now() + entry.chore->interval();
        const auto done = entry.chore->run(*connection(), worker());
        if (!done) {
            if (store::isOutage(done.error())) {
                entry.due = Instant{};
                fail(done.error());
                return;
            }
            log::error("maintenance.failed",
                       {{"chore", entry.chore->name()}, {"error", store::describe(done.error())}});
            continue;
        }
        Q_EMIT did(QString::fromLatin1(entry.chore->name()));
    }
    const auto next =
        std::min_element(chores_.begin(), chores_.end(), [](const Entry &a, const Entry &b) { return a.due < b.due; });
    timer_.start(std::max(milliseconds{1}, std::chrono::ceil<milliseconds>(next->due - clock_.now())));
}

} // namespace outbox::maintenance
