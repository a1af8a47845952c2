// SPDX-License-Identifier: Apache-2.0
#include "destination/waiting_line.h"

#include "destination/deadlines.h"

namespace outbox::destination {

using delivery::Delivery;
using delivery::Ticket;

Delivery WaitingLine::takeFirst()
{
    Delivery first = std::move(line_.front().delivery);
    line_.pop_front();
    return first;
}

std::vector<Ticket> WaitingLine::takeOverdue(Instant now, bool canSend, milliseconds patience)
{
    const auto isOver = [&](const Waiting &each) {
        return isDue(each.delivery.deadline.end(), now) || (!canSend && each.since + patience <= now);
    };
    std::vector<Ticket> over;
    for (const auto &each : line_)
        if (isOver(each))
            over.push_back(each.delivery.ticket);
    std::erase_if(line_, isOver);
    return over;
}

std::vector<Ticket> WaitingLine::takeAll()
{
    std::vector<Ticket> all;
    for (const auto &each : std::exchange(line_, {}))
        all.push_back(each.delivery.ticket);
    return all;
}

} // namespace outbox::destination
