// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/specification/specification.h"
#include "settings/section.h"

namespace outbox::app {

/// The keys that say what is promised: guarantee, boundary, duplicates, retry, owners, ordering, retention, target,
/// limits.
const QStringList &promiseKeys();

/// Reads them into the specification; whatever is wrong or missing is noted in the section's Reading (S1, S20).
void readPromise(Section &root, Specification &specification);

} // namespace outbox::app
