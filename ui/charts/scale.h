// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <cstdint>

namespace outbox::ui {

/// The next of 1, 2, 5 times a power of ten at or above the value. 0 for 0 and less.
double niceCeiling(double value);

/// A place on an axis and what is written there.
struct Tick {
    double at = 0;
    QString label;
};

/// Three to five whole-number ticks from 0 that reach at least `highest`: "0", "500", "1k"; no fractions
/// where only whole things are counted.
QList<Tick> countTicks(double highest);

/// Ticks at round times of the operator's zone (every 5 minutes, every hour ...) within [from, to], both in
/// milliseconds since the epoch; three to six of them.
QList<Tick> timeTicks(std::int64_t from, std::int64_t to);

} // namespace outbox::ui
