// SPDX-License-Identifier: Apache-2.0
#include "store/store_user.h"

namespace outbox::store {

StoreUser::StoreUser(ServerAddress address, ConnectionSettings settings)
    : address_(std::move(address)), settings_(std::move(settings))
{
}

StoreUser::~StoreUser() = default;

void StoreUser::onStoreOpened(qint32 worker)
{
    worker_ = WorkerId(worker);
    if (!isRunning() && !isStopping())
        return;
    if (!connection_) {
        auto opened = Connection::open(address_, settings_);
        if (!opened) {
            Q_EMIT storeFailed(opened.error());
            return;
        }
        connection_ = std::move(opened).value();
        store_ = std::make_unique<WorkerStore>(*connection_);
    }
    onConnected();
}

void StoreUser::onStoreClosed() { disconnectStore(); }

void StoreUser::fail(const StoreError &error)
{
    disconnectStore();
    Q_EMIT storeFailed(error);
}

void StoreUser::disconnectStore()
{
    if (!connection_)
        return;
    store_.reset();
    connection_.reset();
    onDisconnected();
}

} // namespace outbox::store
