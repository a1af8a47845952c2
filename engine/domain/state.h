// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/failure.h"
#include "domain/ids.h"

#include <QString>

#include <string_view>
#include <variant>

namespace outbox {

/// Who may write the outcome of an attempt, and until when (S7).
struct Lease {
    WorkerId owner;
    Fence fence;
    Timestamp expiresAt;
};

/// Waits for its next attempt.
struct Pending {
    int attempts = 0; ///< used up so far
    Timestamp nextAttemptAt;
};
/// Under an unexpired lease of one worker.
struct Processing {
    int attempt = 1; ///< the number of this attempt
    Lease lease;
};
/// The target boundary accepted it (S11).
struct Dispatched {
    int attempt = 1;
    Timestamp dispatchedAt;
};
/// Automatic retry has ended; what is needed to investigate and replay stays (S13).
struct DeadLetter {
    int attempts = 1;
    Timestamp failedAt;
    FailureCause cause = FailureCause::rejected;
    QString reason;
};

/// The lifecycle as a closed type: each state has exactly its own data (S21).
using OutboxState = std::variant<Pending, Processing, Dispatched, DeadLetter>;

/// A state without its data: for filters and counts.
enum class StateKind { pending, processing, dispatched, dead_letter };

StateKind kindOf(const OutboxState &state);
/// "pending", "processing", "dispatched", "dead_letter", as the store writes it.
std::string_view stateName(StateKind kind);
std::optional<StateKind> stateFromName(std::string_view name);

} // namespace outbox
