// SPDX-License-Identifier: Apache-2.0
#include "dispatch/lease_keeper.h"

#include "base/log.h"

#include <algorithm>

namespace outbox::dispatch {

namespace {

store::ConnectionSettings connectionSettings(milliseconds lease)
{
    store::ConnectionSettings settings;
    settings.purpose = QStringLiteral("outbox-leases");
    settings.needWrite = true;
    settings.statementTimeout = std::max(milliseconds{500}, lease / 4);
    settings.lockTimeout = settings.statementTimeout;
    return settings;
}

} // namespace

LeaseKeeper::LeaseKeeper(store::ServerAddress address, milliseconds lease, LeaseTable &leases, const Clock &clock)
    : store::StoreUser(std::move(address), connectionSettings(lease)), lease_(lease), leases_(leases), clock_(clock),
      timer_(this)
{
    timer_.setInterval(lease / 6);
    connect(&timer_, &QTimer::timeout, this, &LeaseKeeper::keep);
}

void LeaseKeeper::onStart() { timer_.start(); }

void LeaseKeeper::onConnected() { keep(); }

void LeaseKeeper::onStop()
{
    timer_.stop();
    disconnectStore();
    finishStop();
}

void LeaseKeeper::keep()
{
    if (store() == nullptr)
        return;
    int extended = 0;
    for (const auto owner : leases_.workers()) {
        std::vector<Fence> due;
        const Instant now = clock_.now();
        for (const auto fence : leases_.held(owner))
            if (const auto ends = leases_.endOf(fence); ends && *ends - now < lease_ * 2 / 3)
                due.push_back(fence);
        if (due.empty())
            continue;
        const auto lost = store()->extendLeases(owner, due, lease_);
        if (!lost) {
            fail(lost.error());
            return;
        }
        // A lease that ended well between our look and the store's answer is no loss.
        leases_.extended(due, now + lease_);
        std::vector<Fence> really;
        std::copy_if(lost->begin(), lost->end(), std::back_inserter(really),
                     [this](const Fence &fence) { return leases_.endOf(fence).has_value(); });
        if (!really.empty()) {
            leases_.lost(really);
            log::info("lease.lost", {{"leases", really.size()}});
        }
        extended += static_cast<int>(due.size() - really.size());
    }
    Q_EMIT kept(extended);
}

} // namespace outbox::dispatch
