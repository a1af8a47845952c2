// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/snapshots.h"
#include "base/result.h"
#include "cli/exit_code.h"
#include "cli/json_object.h"

namespace outbox::cli {

/// "pending", "dead_letter" ...
QString stateText(const OutboxState &state);
/// How many attempts were begun.
int attemptsOf(const OutboxState &state);
/// What is special about that state, such as "next attempt 2026-12-01 03:12:30.000Z".
QString stateDetail(const OutboxState &state);
/// The state's own members: next_attempt_at, or lease_expires_at and fence, or dispatched_at, or failed_at,
/// cause and reason.
void addState(JsonObject &object, const OutboxState &state);

/// The id that somebody typed.
Result<MessageId, Failure> parseId(const std::string &text);

} // namespace outbox::cli
