// SPDX-License-Identifier: Apache-2.0
#include "dispatch/lane_book.h"

#include <algorithm>
#include <iterator>

namespace outbox::dispatch {

namespace {

/// Asked from a lane that gave nothing lately: enough to notice that it fills.
constexpr int smallAppetite = 2;

} // namespace

void LaneBook::setLanes(const std::vector<store::Lane> &lanes)
{
    QHash<std::int32_t, Entry> fresh;
    std::vector<Home> homes;
    for (const auto &lane : lanes) {
        Entry entry{lane, std::nullopt};
        if (const auto known = lanes_.constFind(lane.id.value()); known != lanes_.constEnd()) {
            entry.mark = known->mark;
            entry.appetite = known->appetite;
        }
        fresh.insert(lane.id.value(), entry);
        const QString &destination = lane.destination.value();
        const auto same = [&destination](const Home &home) { return home.destination == destination; };
        auto home = std::find_if(homes.begin(), homes.end(), same);
        if (home == homes.end()) {
            const auto before = std::find_if(homes_.begin(), homes_.end(), same);
            homes.push_back({destination, {}, before == homes_.end() ? 0 : before->turn});
            home = std::prev(homes.end());
        }
        home->lanes.push_back(lane.id.value());
    }
    lanes_ = std::move(fresh);
    homes_ = std::move(homes);
}

const DestinationName &LaneBook::destinationOf(LaneId lane) const
{
    const auto found = lanes_.constFind(lane.value());
    Q_ASSERT(found != lanes_.constEnd());
    return found->lane.destination;
}

std::vector<LaneId> LaneBook::ids(const QHash<QString, int> &free) const
{
    std::vector<LaneId> all;
    for (const auto &home : homes_)
        if (free.value(home.destination) > 0)
            for (const auto id : home.lanes)
                all.emplace_back(id);
    return all;
}

std::size_t LaneBook::open(const QHash<QString, int> &free) const { return ids(free).size(); }

std::vector<store::LaneAsk> LaneBook::asks(const QHash<QString, int> &free, int batch)
{
    std::vector<store::LaneAsk> made;
    int left = batch;
    for (std::size_t i = 0; i < homes_.size() && left > 0; ++i) {
        auto &home = homes_[(turn_ + i) % homes_.size()];
        left -= askHome(home, std::min(free.value(home.destination), batch), left, made);
    }
    ++turn_;
    return made;
}

int LaneBook::askHome(Home &home, int room, int most, std::vector<store::LaneAsk> &made) const
{
    if (room <= 0)
        return 0;
    // What the lanes would like, to share the room in proportion.
    qint64 wanted = 0;
    for (const auto id : home.lanes)
        wanted += std::min(lanes_.constFind(id)->appetite, room);
    const int whole = std::min(room, most);
    int left = whole;
    std::size_t asked = 0;
    for (; asked < home.lanes.size() && left > 0; ++asked) {
        const auto &entry = *lanes_.constFind(home.lanes[(home.turn + asked) % home.lanes.size()]);
        const qint64 like = std::min(entry.appetite, room);
        const qint64 share = wanted <= room ? like : std::max<qint64>(1, like * room / wanted);
        const int each = static_cast<int>(std::min<qint64>(share, left));
        made.push_back({entry.lane.id, each, entry.mark});
        left -= each;
    }
    home.turn += asked < home.lanes.size() ? asked : 1;
    return whole - left;
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
