// SPDX-License-Identifier: Apache-2.0
#include "destination/outage_log.h"

#include "base/log.h"

#include <utility>

namespace outbox::destination {

void OutageLog::down(const QString &reason)
{
    if (!std::exchange(down_, true))
        log::warning(transport_ + ".unavailable", {{"broker", broker_}, {"reason", reason}});
}

void OutageLog::up(const QString &place)
{
    down_ = false;
    log::info(transport_ + ".connected", {{"broker", broker_}, {"to", place}});
}

} // namespace outbox::destination
