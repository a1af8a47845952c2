// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/store_address.h"

namespace outbox::demo {

/// A private store of the demo's own, beside the one that people keep their records in: what a demo stages is
/// invented, and can never be taken out of a store again. Used unless --store names another one.
store::StoreAddress demoStore();

} // namespace outbox::demo
