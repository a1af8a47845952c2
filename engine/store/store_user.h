// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/service.h"
#include "store/connection.h"
#include "store/worker_store.h"

#include <memory>

namespace outbox::store {

/// A service with a connection of its own to the store, which it uses only while the gate is open. What it
/// reports as an outage closes the gate for all (S14, S15).
class StoreUser : public Service {
    Q_OBJECT
public:
    StoreUser(ServerAddress address, ConnectionSettings settings);
    ~StoreUser() override;

public Q_SLOTS:
    /// The store serves, and knows us by this number.
    void onStoreOpened(qint32 worker);
    void onStoreClosed();

Q_SIGNALS:
    /// The store does not serve: the health service shall find out when it does again.
    void storeFailed(const outbox::store::StoreError &error);

protected:
    /// The connection stands. Called while stopping, too, since there may be something left to write; not while
    /// stopped.
    virtual void onConnected() = 0;
    /// The connection is gone.
    virtual void onDisconnected() = 0;

    /// Nothing while the store is away.
    [[nodiscard]] WorkerStore *store() { return store_.get(); }
    [[nodiscard]] Connection *connection() { return connection_.get(); }
    [[nodiscard]] WorkerId worker() const { return worker_; }
    /// Closes the connection and reports.
    void fail(const StoreError &error);
    void disconnectStore();

private:
    const ServerAddress address_;
    const ConnectionSettings settings_;
    std::unique_ptr<Connection> connection_;
    std::unique_ptr<WorkerStore> store_;
    WorkerId worker_;
};

} // namespace outbox::store
