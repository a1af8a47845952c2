// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/time.h"

#include <QString>

#include <optional>

namespace outbox::app {

/// A whole number with its unit: ms, s, m, h or d, as in "250ms" or "5m". Nothing for anything else, a
/// number without a unit included.
std::optional<milliseconds> parseDuration(const QString &text);

/// The same, back: the largest unit that divides it.
QString durationText(milliseconds span);

} // namespace outbox::app
