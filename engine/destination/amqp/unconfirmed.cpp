// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/unconfirmed.h"

#include "destination/deadlines.h"

namespace outbox::destination {

using delivery::Ticket;

void Unconfirmed::published(Entry entry)
{
    open_ += entry.settled ? 0 : 1;
    entries_.push_back(std::move(entry));
}

std::vector<Ticket> Unconfirmed::confirmed(std::uint64_t tag, bool multiple)
{
    std::vector<Ticket> tickets;
    const std::uint64_t beyond = firstTag_ + entries_.size();
    if (multiple && tag == 0)
        tag = beyond - 1; // "all so far", says the protocol
    if (tag < firstTag_ || tag >= beyond)
        return tickets;
    const std::size_t last = tag - firstTag_;
    for (std::size_t i = multiple ? 0 : last; i <= last; ++i) {
        if (std::exchange(entries_[i].settled, true))
            continue;
        --open_;
        tickets.push_back(entries_[i].ticket);
    }
    if (multiple) {
        entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
        firstTag_ = tag + 1;
    }
    dropSettled();
    return tickets;
}

void Unconfirmed::dropSettled()
{
    // One in front may still wait for its own confirm; that is fine: a tag below firstTag_ confirms nothing.
    while (!entries_.empty() && entries_.front().settled) {
        entries_.pop_front();
        ++firstTag_;
    }
}

std::optional<Ticket> Unconfirmed::returned(const QUuid &id)
{
    for (auto &each : entries_) {
        if (each.settled || each.id != id)
            continue;
        each.settled = true;
        --open_;
        return each.ticket;
    }
    return std::nullopt;
}

std::vector<Ticket> Unconfirmed::expired(Instant now)
{
    std::vector<Ticket> tickets;
    for (auto &each : entries_) {
        if (each.settled || !isDue(each.end, now))
            continue;
        each.settled = true;
        --open_;
        tickets.push_back(each.ticket);
    }
    dropSettled();
    return tickets;
}

std::vector<Unconfirmed::Entry> Unconfirmed::reset()
{
    std::vector<Entry> open;
    for (auto &each : entries_)
        if (!each.settled)
            open.push_back(std::move(each));
    entries_.clear();
    firstTag_ = 1;
    open_ = 0;
    return open;
}

} // namespace outbox::destination
