// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "delivery/destination.h"

#include <QUuid>

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace outbox::destination {

/// What was published on one channel and not confirmed yet, by delivery tag. The broker counts tags from
/// 1 upwards and may confirm many at once or out of order. A confirm of what was settled otherwise (its time
/// was over, it was returned) is ignored.
class Unconfirmed {
public:
    struct Entry {
        delivery::Ticket ticket;
        QUuid id;
        Instant end;
        qsizetype size = 0; ///< of the payload, in bytes
        bool settled = false;
    };

    /// Records the next tag.
    void published(Entry entry);
    /// The tickets that this confirm settles. A tag that was never given out confirms nothing.
    [[nodiscard]] std::vector<delivery::Ticket> confirmed(std::uint64_t tag, bool multiple);
    /// The ticket of the oldest open entry with this message id, settled now: basic.return names no tag.
    [[nodiscard]] std::optional<delivery::Ticket> returned(const QUuid &id);
    /// The tickets whose time is over, settled now.
    [[nodiscard]] std::vector<delivery::Ticket> expired(Instant now);
    /// Every open entry, oldest first; the channel starts anew at tag 1.
    [[nodiscard]] std::vector<Entry> reset();

    [[nodiscard]] bool anyOpen() const { return open_ != 0; }

private:
    void dropSettled();

    std::deque<Entry> entries_;
    std::uint64_t firstTag_ = 1; ///< of entries_.front()
    std::size_t open_ = 0;
};

} // namespace outbox::destination
