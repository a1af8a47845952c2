// SPDX-License-Identifier: Apache-2.0
#include "domain/transitions.h"

namespace outbox {

Processing claim(const Pending &pending, const Lease &lease) { return Processing{pending.attempts + 1, lease}; }

Dispatched complete(const Processing &processing, Timestamp at) { return Dispatched{processing.attempt, at}; }

Pending retry(const Processing &processing, Timestamp next) { return Pending{processing.attempt, next}; }

Pending release(const Processing &processing, Timestamp at) { return Pending{processing.attempt - 1, at}; }

DeadLetter deadLetter(const Processing &processing, const Failure &failure, Timestamp at)
{
    return DeadLetter{processing.attempt, at, failure.cause, failure.summary};
}

Pending replay(const DeadLetter &, Timestamp at) { return Pending{0, at}; }

AfterFailure afterFailure(int attempt, FailureCause cause, const RetryPolicy &policy)
{
    if (isPermanent(cause) || attempt >= policy.attempts)
        return GiveUp{};
    return RetryLater{};
}

AfterFailure afterFailure(const Processing &processing, const Failure &failure, const RetryPolicy &policy)
{
    return afterFailure(processing.attempt, failure.cause, policy);
}

} // namespace outbox
