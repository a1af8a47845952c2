// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "base/time.h"
#include "base/version.h"
#include "domain/transitions.h"

#include <QList>
#include <QString>

#include <utility>

namespace outbox::dispatch {

/// What validate() accepts. A reader of settings checks against the same, so that its error can name the place.
struct WorkerLimits {
    static constexpr int mostBatch = 5000;
    static constexpr milliseconds leastLease{2000};
    static constexpr milliseconds mostLease{3600000};
    static constexpr milliseconds leastPoll{4000}; ///< below, an idle worker makes more than 30 statements a minute
    static constexpr milliseconds mostPoll{60000};
    static constexpr milliseconds mostGrace{600000};
    static constexpr int mostAttempts = 1000;
};

/// How a worker behaves. Checked by validate() when a worker is made.
struct WorkerSettings {
    QString name; ///< shown to operators; empty: host name and process id
    QString version = programVersion();
    int batch = 1000;           ///< records a claim, 1 to 5000
    milliseconds lease{30000};  ///< 2 s to 1 h; extended while in flight
    milliseconds answer{60000}; ///< how long the answer of a delivery is awaited at the most, 1 s to 1 h
    milliseconds poll{4000};    ///< how often an idle worker looks without being woken, 4 s to 60 s
    milliseconds grace{10000};  ///< how long a stop waits for what is in flight, up to 10 min
    RetryPolicy retry;
    Backoff backoff;
    QList<std::pair<QString, QString>> routes; ///< pattern and destination, applied when the worker starts
};

/// What is wrong with the settings, as a sentence; empty when nothing is.
QString validate(const WorkerSettings &settings);

} // namespace outbox::dispatch
