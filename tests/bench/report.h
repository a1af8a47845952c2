// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench.h"

namespace outbox::bench {

/// One line of JSON: {"bench": ..., "against": ..., "ratio": ..., "wanted": ..., "figures": {...}}.
/// `against` and `ratio` are null where a bench is held against nothing.
QByteArray asJson(const Comparison &comparison);

/// The same for people: one line, and the figures below it.
QString asText(const Comparison &comparison);

/// The ratio that is promised was reached, and nothing else was missed.
bool isKept(const Comparison &comparison);

} // namespace outbox::bench
