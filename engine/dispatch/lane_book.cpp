// SPDX-License-Identifier: Apache-2.0
#include "dispatch/lane_book.h"

#include <algorithm>

namespace outbox::dispatch {

namespace {

/// Asked from a lane that gave nothing lately: enough to notice that it fills.
constexpr int smallAppetite = 2;

} // namespace

void LaneBook::setLanes(const std::vector<store::Lane> &lanes)
{
    QHash<std::int32_t, Entry> fresh;
    order_.clear();
    for (const auto &lane : lanes) {
        Entry entry{lane, std::nullopt};
        if (const auto known = lanes_.constFind(lane.id.value()); known != lanes_.constEnd()) {
            entry.mark = known->mark;
            entry.appetite = known->appetite;
        }
        fresh.insert(lane.id.value(), entry);
        order_.push_back(lane.id.value());
    }
    lanes_ = std::move(fresh);
}

const DestinationName &LaneBook::destinationOf(LaneId lane) const
{
    const auto found = lanes_.constFind(lane.value());
    Q_ASSERT(found != lanes_.constEnd());
    return found->lane.destination;
}

std::vector<LaneId> LaneBook::ids() const
{
    std::vector<LaneId> all;
    all.reserve(order_.size());
    for (const auto id : order_)
        all.emplace_back(id);
    return all;
}

std::vector<store::LaneAsk> LaneBook::asks(const QHash<QString, int> &free, int batch)
{
    // What each destination's lanes would like, to share its room in proportion.
    QHash<QString, qint64> wanted;
    for (const auto &entry : std::as_const(lanes_)) {
        const int room = std::min(free.value(entry.lane.destination.value()), batch);
        wanted[entry.lane.destination.value()] += std::min(entry.appetite, std::max(room, 0));
    }
    std::vector<store::LaneAsk> made;
    QHash<QString, int> left = free;
    int total = batch;
    ++turn_;
    for (std::size_t i = 0; i < order_.size() && total > 0; ++i) {
        const auto &entry = lanes_[order_[(i + turn_) % order_.size()]];
        const QString &destination = entry.lane.destination.value();
        const int room = std::min(free.value(destination), batch);
        if (room <= 0 || left.value(destination) <= 0)
            continue;
        const qint64 like = std::min(entry.appetite, room);
        const qint64 all = wanted.value(destination);
        const qint64 share = all <= room ? like : std::max<qint64>(1, like * room / all);
        const int most = static_cast<int>(std::min<qint64>({share, left.value(destination), total}));
        made.push_back({entry.lane.id, most, entry.mark});
        left[destination] -= most;
        total -= most;
    }
    return made;
}

void LaneBook::learn(const std::vector<store::LaneAsk> &asks, const std::vector<store::ClaimedRecord> &records)
{
    QHash<std::int32_t, int> given;
    for (const auto &record : records) {
        ++given[record.lane.value()];
        if (const auto found = lanes_.find(record.lane.value()); found != lanes_.end())
            found->mark = found->mark ? std::max(*found->mark, record.nextAttemptAt) : record.nextAttemptAt;
    }
    for (const auto &ask : asks) {
        const auto found = lanes_.find(ask.lane.value());
        if (found == lanes_.end())
            continue;
        const int gave = given.value(ask.lane.value());
        found->appetite = gave < ask.most ? std::max(smallAppetite, gave * 2) : std::min(found->appetite, 1 << 18) * 4;
    }
}

bool LaneBook::hasMarks() const
{
    return std::any_of(lanes_.begin(), lanes_.end(), [](const Entry &entry) { return entry.mark.has_value(); });
}

void LaneBook::forgetMarks()
{
    for (auto &entry : lanes_)
        entry.mark.reset();
}

} // namespace outbox::dispatch
