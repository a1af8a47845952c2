// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maintenance/chore.h"
#include "store/store_user.h"

#include <QTimer>

#include <memory>
#include <vector>

namespace outbox::maintenance {

/// Runs each chore at its interval, the first time as soon as the store serves. One thread, one connection.
class MaintenanceLoop final : public store::StoreUser {
    Q_OBJECT
public:
    MaintenanceLoop(store::ServerAddress address, std::vector<std::unique_ptr<Chore>> chores, const Clock &clock);

Q_SIGNALS:
    /// A chore has run: for tests.
    void did(const QString &chore);

protected:
    void onStart() override {}
    void onStop() override;
    void onConnected() override;
    void onDisconnected() override;

private:
    struct Entry {
        std::unique_ptr<Chore> chore;
        Instant due{};
    };
    void runDue();

    std::vector<Entry> chores_;
    const Clock &clock_;
    QTimer timer_;
};

} // namespace outbox::maintenance
