// SPDX-License-Identifier: Apache-2.0
#include "base/service.h"

namespace outbox {

void Service::start()
{
    if (phase_ != Phase::idle)
        return;
    phase_ = Phase::running;
    onStart();
    Q_EMIT started();
}

void Service::stop()
{
    if (phase_ == Phase::stopping)
        return;
    if (phase_ == Phase::idle) {
        Q_EMIT stopped();
        return;
    }
    phase_ = Phase::stopping;
    onStop();
}

void Service::finishStop()
{
    if (phase_ != Phase::stopping)
        return;
    phase_ = Phase::idle;
    Q_EMIT stopped();
}

} // namespace outbox
