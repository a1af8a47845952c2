// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "delivery/catalogue.h"
#include "settings/settings.h"

namespace outbox::app {

/// Every destination of the settings, ready to be built in its own thread.
delivery::DestinationCatalogue catalogueOf(const Settings &settings);

} // namespace outbox::app
