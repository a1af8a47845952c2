// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dispatch/lease_table.h"
#include "store/store_user.h"

#include <QTimer>

namespace outbox::dispatch {

/// Extends the leases of what is in flight, a third of the lease before they end. What the store says is not ours
/// any more is forgotten at once, and not sent any more.
class LeaseKeeper final : public store::StoreUser {
    Q_OBJECT
public:
    LeaseKeeper(store::ServerAddress address, milliseconds lease, LeaseTable &leases, const Clock &clock);

Q_SIGNALS:
    /// One round is done: for tests.
    void kept(int leases);

protected:
    void onStart() override;
    void onStop() override;
    void onConnected() override;
    void onDisconnected() override {}

private:
    void keep();

    const milliseconds lease_;
    LeaseTable &leases_;
    const Clock &clock_;
    QTimer timer_;
};

} // namespace outbox::dispatch
