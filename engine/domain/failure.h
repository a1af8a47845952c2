// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"

#include <QString>

#include <optional>
#include <string_view>

namespace outbox {

/// Why an attempt failed. A closed set; the store keeps the name (S13).
enum class FailureCause {
    rejected,      ///< permanent: the target said no to this message
    undeliverable, ///< permanent: no such queue, route or endpoint for it
    timeout,       ///< no answer in time
    unreachable,   ///< connection refused, reset, or name not found
    busy,          ///< 408, 425, 429 or a broker's nack
    target_error,  ///< 5xx or a broken answer
    lease_expired, ///< the worker that held it did not report back
    no_reader,     ///< nobody reads this type and version
};

/// The cause's name with dashes, such as "lease-expired", as the store and every screen write it.
std::string_view causeName(FailureCause cause);
std::optional<FailureCause> causeFromName(std::string_view name);
/// Automatic retry cannot help (S13).
bool isPermanent(FailureCause cause);

/// One failed attempt, in words that are safe to keep: never a payload, never a secret.
struct Failure {
    FailureCause cause = FailureCause::target_error;
    QString summary;                        ///< one line, at most 500 characters
    std::optional<milliseconds> retryAfter; ///< the target's own wish
};

} // namespace outbox
