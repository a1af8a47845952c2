// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"
#include "base/result.h"
#include "domain/transitions.h"

#include <QHash>
#include <QTest>

using namespace outbox;

namespace {

// What is allowed compiles, and nothing else does: each row of this table is a transition from a state.
template <typename From>
concept CanClaim = requires(From from, Lease lease)
{
    claim(from, lease);
};
template <typename From>
concept CanComplete = requires(From from, Timestamp at)
{
    complete(from, at);
};
template <typename From>
concept CanRetry = requires(From from, Timestamp at)
{
    retry(from, at);
};
template <typename From>
concept CanRelease = requires(From from, Timestamp at)
{
    release(from, at);
};
template <typename From>
concept CanDie = requires(From from, Failure failure, Timestamp at)
{
    deadLetter(from, failure, at);
};
template <typename From>
concept CanBeReplayed = requires(From from, Timestamp at)
{
    replay(from, at);
};

static_assert(CanClaim<Pending> && !CanClaim<Processing> && !CanClaim<Dispatched> && !CanClaim<DeadLetter>);
static_assert(!CanComplete<Pending> && CanComplete<Processing> && !CanComplete<Dispatched> && !CanComplete<DeadLetter>);
static_assert(!CanRetry<Pending> && CanRetry<Processing> && !CanRetry<Dispatched> && !CanRetry<DeadLetter>);
static_assert(!CanRelease<Pending> && CanRelease<Processing> && !CanRelease<Dispatched> && !CanRelease<DeadLetter>);
static_assert(!CanDie<Pending> && CanDie<Processing> && !CanDie<Dispatched> && !CanDie<DeadLetter>);
static_assert(!CanBeReplayed<Pending> && !CanBeReplayed<Processing> && !CanBeReplayed<Dispatched> &&
              CanBeReplayed<DeadLetter>);
static_assert(std::variant_size_v<OutboxState> == 4);

// Each state has its own data and no other's.
template <typename State>
concept HasLease = requires(State state)
{
    state.lease;
};
template <typename State>
concept HasDispatchTime = requires(State state)
{
    state.dispatchedAt;
};
template <typename State>
concept HasReason = requires(State state)
{
    state.reason;
};
static_assert(!HasLease<Pending> && HasLease<Processing> && !HasLease<Dispatched> && !HasLease<DeadLetter>);
static_assert(!HasDispatchTime<Pending> && !HasDispatchTime<Processing> && HasDispatchTime<Dispatched> &&
              !HasDispatchTime<DeadLetter>);
static_assert(!HasReason<Pending> && !HasReason<Processing> && !HasReason<Dispatched> && HasReason<DeadLetter>);

const Timestamp noon = std::chrono::sys_days{std::chrono::year{2030} / 6 / 1} + std::chrono::hours{12};

Lease someLease() { return {WorkerId(3), Fence(17), noon + seconds{30}}; }

} // namespace

class TransitionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClaimIsTheNextAttemptUnderTheLease() // S7 S21
    {
        const auto processing = claim(Pending{2, noon}, someLease());
        QCOMPARE(processing.attempt, 3);
        QCOMPARE(processing.lease.owner, WorkerId(3));
        QCOMPARE(processing.lease.fence, Fence(17));
        QVERIFY(processing.lease.expiresAt == noon + seconds{30});
    }

    void completionKeepsTheAttempt() // S21
    {
        const auto dispatched = complete(Processing{3, someLease()}, noon);
        QCOMPARE(dispatched.attempt, 3);
        QVERIFY(dispatched.dispatchedAt == noon);
    }

    void aRetryUsesTheAttemptUpAndAReleaseDoesNot() // S21
    {
        QCOMPARE(retry(Processing{3, someLease()}, noon).attempts, 3);
        QCOMPARE(release(Processing{3, someLease()}, noon).attempts, 2);
    }

    void aDeadLetterKeepsReasonAndAttempts() // S13 S21
    {
        const Failure failure{FailureCause::rejected, QStringLiteral("422 no such order"), {}};
        const auto dead = deadLetter(Processing{10, someLease()}, failure, noon);
        QCOMPARE(dead.attempts, 10);
        QCOMPARE(dead.reason, QStringLiteral("422 no such order"));
        QVERIFY(dead.cause == FailureCause::rejected);
    }

    void aReplayStartsOver() // S21
    {
        const auto pending = replay(DeadLetter{10, noon, FailureCause::rejected, {}}, noon + seconds{1});
        QCOMPARE(pending.attempts, 0);
        QVERIFY(pending.nextAttemptAt == noon + seconds{1});
    }

    void automaticRetryEndsAtTheLimit() // S13
    {
        const RetryPolicy policy{3, {}};
        const Failure failure{FailureCause::timeout, {}, {}};
        QVERIFY(std::holds_alternative<RetryLater>(afterFailure(Processing{2, someLease()}, failure, policy)));
        QVERIFY(std::holds_alternative<GiveUp>(afterFailure(Processing{3, someLease()}, failure, policy)));
        QVERIFY(std::holds_alternative<GiveUp>(afterFailure(Processing{4, someLease()}, failure, policy)));
    }

    void permanentFailuresEndAtOnce() // S13
    {
        for (const auto cause : {FailureCause::rejected, FailureCause::undeliverable})
            QVERIFY(std::holds_alternative<GiveUp>(afterFailure(1, cause, RetryPolicy{10, {}})));
        for (const auto cause : {FailureCause::timeout, FailureCause::unreachable, FailureCause::busy,
                                 FailureCause::target_error, FailureCause::lease_expired, FailureCause::no_reader})
            QVERIFY(std::holds_alternative<RetryLater>(afterFailure(1, cause, RetryPolicy{10, {}})));
    }

    void anyWalkKeepsTheCountOfAttempts() // S21
    {
        // Whatever happens to a record, its attempts are the failures since it was staged or replayed.
        Random random(qHash(QLatin1String("anyWalkKeepsTheCountOfAttempts"), 1));
        for (int walk = 0; walk < 200; ++walk) {
            OutboxState state = Pending{0, noon};
            int used = 0;
            for (int step = 0; step < 200; ++step) {
                const double choice = random.unit();
                state = std::visit(
                    overload{
                        [&](const Pending &pending) -> OutboxState {
                            return pending.attempts == used ? OutboxState(claim(pending, someLease()))
                                                            : OutboxState(Pending{-1, noon});
                        },
                        [&](const Processing &processing) -> OutboxState {
                            if (choice < 0.2)
                                return release(processing, noon);
                            if (choice < 0.3)
                                return complete(processing, noon);
                            ++used;
                            const Failure failure{FailureCause::busy, {}, {}};
                            if (std::holds_alternative<GiveUp>(afterFailure(processing, failure, RetryPolicy{10, {}})))
                                return deadLetter(processing, failure, noon);
                            return retry(processing, noon);
                        },
                        [&](const Dispatched &dispatched) -> OutboxState {
                            used = 0;
                            return dispatched.attempt >= 1 ? OutboxState(Pending{0, noon}) : OutboxState(dispatched);
                        },
                        [&](const DeadLetter &dead) -> OutboxState {
                            used = 0;
                            return dead.attempts == 10 ? OutboxState(replay(dead, noon))
                                                       : OutboxState(Pending{-1, noon});
                        },
                    },
                    state);
                QVERIFY(!std::holds_alternative<Pending>(state) || std::get<Pending>(state).attempts == used);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TransitionsTest)

#include "transitions_test.moc"
