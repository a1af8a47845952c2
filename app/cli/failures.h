// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/exit_code.h"
#include "store/store_error.h"

namespace outbox::cli {

/// What a store's error means for the caller of the program. `store` is its name on screens.
Failure failureOf(const store::StoreError &error, const QString &store);

/// The same text without the passwords of addresses in it.
QString withoutPasswords(const QString &text);

} // namespace outbox::cli
