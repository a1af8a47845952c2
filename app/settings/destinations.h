// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settings/section.h"

namespace outbox::app {

/// The section `destinations`: each name with exactly one transport. What is wrong is noted in the Reading.
QList<DestinationSettings> readDestinations(const Section &section);

} // namespace outbox::app
