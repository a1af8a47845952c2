// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace outbox {

/// A point in time as the database tells it: UTC, microseconds. Leases, due times and ages use the
/// database's clock only (P18).
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

/// A point on this machine's steady clock: for timeouts and durations, never for anything stored.
using Instant = std::chrono::steady_clock::time_point;

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Where the steady time comes from. Handed in, so that tests move time themselves.
class Clock {
public:
    Clock() = default;
    Clock(const Clock &) = delete;
    Clock &operator=(const Clock &) = delete;
    virtual ~Clock() = default;
    [[nodiscard]] virtual Instant now() const = 0;
};

/// The machine's own steady clock. Any thread.
class SteadyClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return std::chrono::steady_clock::now(); }
};

/// Until when an answer is of use. A value; copying it keeps the same end.
class Deadline {
public:
    explicit Deadline(Instant end) : end_(end) {}
    static Deadline in(milliseconds span, const Clock &clock) { return Deadline(clock.now() + span); }

    [[nodiscard]] Instant end() const { return end_; }
    /// Zero when passed; never negative.
    [[nodiscard]] milliseconds remaining(Instant now) const
    {
        return now >= end_ ? milliseconds{0} : std::chrono::duration_cast<milliseconds>(end_ - now);
    }
    [[nodiscard]] bool passed(Instant now) const { return now >= end_; }

private:
    Instant end_;
};

} // namespace outbox
