// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "scenario.h"
#include "verdict.h"

namespace outbox::chaos {

/// Plays the scenario from nothing: a store, a broker, an HTTP endpoint, workers, an application; faults; the
/// verdict. Needs a QCoreApplication. Errors are about the stage itself, not about the engine.
Result<Verdict, QString> play(const Scenario &scenario);

} // namespace outbox::chaos
