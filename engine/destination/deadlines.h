// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"

namespace outbox::destination {

/// How often a destination looks for deliveries whose time is over, while any are in flight. One look
/// over all of them is far cheaper than a timer each.
inline constexpr milliseconds deadlineTick{50};

/// Has to be settled now, because the next look would come after the end.
inline bool isDue(Instant end, Instant now) { return end <= now + deadlineTick; }

} // namespace outbox::destination
