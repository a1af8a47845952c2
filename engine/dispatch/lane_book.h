// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/worker_store.h"

#include <QHash>

#include <vector>

namespace outbox::dispatch {

/// What a worker knows of the lanes it may take from: where each stands (its low-water mark) and how much it gave
/// lately. Decides how much to ask from each, so that one claim fits what the destinations can take, no flood
/// starves a neighbour and an empty lane costs one index probe. No I/O.
///
/// The low-water mark lets the next claim begin its index scan where the last one ended instead of walking over
/// the rows that were taken before, which nobody can remove while somebody holds an old snapshot. What becomes
/// visible late (a long transaction, a retry) lies below the mark, so forgetMarks() is due now and then.
class LaneBook {
public:
    /// Replaces the lanes; those known before keep their marks.
    void setLanes(const std::vector<store::Lane> &lanes);
    [[nodiscard]] bool knows(LaneId lane) const { return lanes_.contains(lane.value()); }
    /// Precondition: knows(lane).
    [[nodiscard]] const DestinationName &destinationOf(LaneId lane) const;
    /// Of destinations that have room.
    [[nodiscard]] std::vector<LaneId> ids(const QHash<QString, int> &free) const;

    /// At most `free[d]` records for destination d and `batch` in all. Empty: nothing to ask for. Where there is less
    /// room than lanes, the next call goes on with the lanes that this one left out.
    [[nodiscard]] std::vector<store::LaneAsk> asks(const QHash<QString, int> &free, int batch);
    /// Lanes of destinations that have room.
    [[nodiscard]] std::size_t open(const QHash<QString, int> &free) const;
    /// Learns from what the asks gave.
    void learn(const std::vector<store::LaneAsk> &asks, const std::vector<store::ClaimedRecord> &records);

    [[nodiscard]] bool hasMarks() const;
    void forgetMarks();

private:
    struct Entry {
        store::Lane lane;
        std::optional<Timestamp> mark;
        int appetite = 1 << 20; ///< how much it is worth to ask for: all until a claim came back short
    };
    /// A destination's lanes, and which is first to be asked.
    struct Home {
        QString destination;
        std::vector<std::int32_t> lanes;
        std::size_t turn = 0;
    };
    int askHome(Home &home, int room, int most, std::vector<store::LaneAsk> &made) const;

    QHash<std::int32_t, Entry> lanes_;
    std::vector<Home> homes_;
    std::size_t turn_ = 0; ///< which destination is first
};

} // namespace outbox::dispatch
