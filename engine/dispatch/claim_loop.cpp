// SPDX-License-Identifier: Apache-2.0
#include "dispatch/claim_loop.h"

#include "base/log.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace outbox::dispatch {

namespace {

/// Looks in quick succession before falling asleep: work that has just ended is often followed by more.
constexpr std::array<milliseconds, 7> lingering{milliseconds{2},  milliseconds{5},  milliseconds{10}, milliseconds{20},
                                                milliseconds{40}, milliseconds{80}, milliseconds{100}};
/// The longest pause between looks while some staging transaction stays open, or what is due is held by others.
constexpr milliseconds longestRestless{250};
constexpr milliseconds afterConflict{10};
constexpr milliseconds firstHold{200};
constexpr milliseconds longestHold{30000};

store::ConnectionSettings connectionSettings()
{
    store::ConnectionSettings settings;
    settings.purpose = QStringLiteral("outbox-claims");
    settings.needWrite = true;
    return settings;
}

QStringList namesOf(const std::vector<ClaimTarget> &targets)
{
    QStringList names;
    for (const auto &target : targets)
        names << target.name.value();
    return names;
}

} // namespace

ClaimLoop::ClaimLoop(store::ServerAddress address, WorkerSettings settings, std::vector<ClaimTarget> targets,
                     LeaseTable &leases, WorkerCounters &counters, const Clock &clock)
    : store::StoreUser(std::move(address), connectionSettings()), settings_(std::move(settings)),
      targets_(std::move(targets)), names_(namesOf(targets_)), leases_(leases), counters_(counters), clock_(clock),
      rooms_(targets_.size()), timer_(this)
{
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &ClaimLoop::step);
}

void ClaimLoop::onConnected()
{
    const auto listening = connection()->listen(QStringLiteral("outbox_wake"), this, [this] { onNotification(); });
    if (!listening) {
        fail(listening.error());
        return;
    }
    mood_ = Mood::busy;
    marked_ = false;
    lanesStale_ = true;
    schedule(milliseconds{0});
}

void ClaimLoop::onDisconnected() { timer_.stop(); }

void ClaimLoop::onStop()
{
    timer_.stop();
    if (marked_ && store() != nullptr)
        (void)store()->awake(worker());
    disconnectStore();
    finishStop();
}

void ClaimLoop::schedule(milliseconds delay)
{
    if (!isRunning() || store() == nullptr)
        return;
    if (timer_.isActive() && timer_.remainingTimeAsDuration() <= delay)
        return;
    timer_.start(delay);
}

void ClaimLoop::failed(const store::StoreError &error)
{
    if (std::holds_alternative<store::Conflict>(error))
        schedule(afterConflict);
    else
        fail(error);
}

void ClaimLoop::onWritten(int destination, int records, qint64 dueInMilliseconds)
{
    const bool wasFull = freeOf(static_cast<std::size_t>(destination), clock_.now()) == 0;
    rooms_[static_cast<std::size_t>(destination)].inFlight -= records;
    if (dueInMilliseconds >= 0) {
        const Instant due = clock_.now() + milliseconds{dueInMilliseconds};
        dueAt_ = dueAt_ ? std::min(*dueAt_, due) : due;
        if (mood_ == Mood::dozing)
            schedule(milliseconds{dueInMilliseconds});
    }
    // An idle worker that had no room here may have passed over what is due.
    if (mood_ == Mood::busy || wasFull || (tellDrained_ && allIdle()))
        schedule(milliseconds{0});
}

void ClaimLoop::onAnswered(int destination, bool tried)
{
    auto &room = rooms_[static_cast<std::size_t>(destination)];
    if (tried) {
        room.pauses = 0;
        return;
    }
    const Instant now = clock_.now();
    if (room.heldUntil > now)
        return;
    const auto pause = std::min(longestHold, firstHold * (1 << std::min(room.pauses, 8)));
    if (room.pauses == 0)
        log::warning("destination.not-ready",
                     {{"destination", targets_[static_cast<std::size_t>(destination)].name.value()}});
    ++room.pauses;
    room.heldUntil = now + pause;
    schedule(pause);
}

void ClaimLoop::reportDrained()
{
    tellDrained_ = true;
    mood_ = Mood::busy;
    uncovered_.reset();
    schedule(milliseconds{0});
}

void ClaimLoop::onNotification()
{
    notified_ = true;
    if (mood_ != Mood::busy)
        schedule(milliseconds{0});
}

int ClaimLoop::freeOf(std::size_t target, Instant now) const
{
    const auto &room = rooms_[target];
    if (room.heldUntil > now)
        return 0;
    const int free = std::max(0, targets_[target].window - room.inFlight);
    // After a pause one record is enough to see whether the destination is ready.
    return room.pauses > 0 ? std::min(free, room.inFlight > 0 ? 0 : 1) : free;
}

QHash<QString, int> ClaimLoop::freeRoom(Instant now) const
{
    QHash<QString, int> free;
    for (std::size_t i = 0; i < targets_.size(); ++i)
        if (const int each = freeOf(i, now); each > 0)
            free.insert(targets_[i].name.value(), each);
    return free;
}

bool ClaimLoop::allIdle() const
{
    return std::all_of(rooms_.begin(), rooms_.end(), [](const Room &room) { return room.inFlight <= 0; });
}

void ClaimLoop::step()
{
    if (!isRunning() || store() == nullptr)
        return;
    if (mood_ == Mood::dozing)
        look();
    else
        claimFromLanes();
}

bool ClaimLoop::refreshLanes()
{
    const auto lanes = store()->lanes(names_);
    if (!lanes) {
        failed(lanes.error());
        return false;
    }
    book_.setLanes(*lanes);
    lanesStale_ = false;
    return true;
}

void ClaimLoop::claimFromLanes()
{
    const Instant now = clock_.now();
    const bool restart = now - restartedAt_ >= restartEvery_;
    if ((lanesStale_ || restart) && !refreshLanes())
        return;
    if (restart) {
        book_.forgetMarks();
        restartedAt_ = now;
    }
    const auto free = freeRoom(now);
    if (free.isEmpty()) {
        // Room comes back with an outcome, or when a pause has ended.
        if (mood_ == Mood::lingering)
            mood_ = Mood::busy;
        if (const auto pause = nextPause(now); pause > milliseconds{0})
            schedule(pause);
        return;
    }
    const auto asks = book_.asks(free, settings_.batch);
    if (asks.empty()) {
        foundNothing();
        return;
    }
    auto claim = store()->claim(worker(), settings_.lease, asks);
    if (!claim) {
        failed(claim.error());
        return;
    }
    if (restart) // The way past what nobody could remove yet is long at times: at most a twentieth of the time for it.
        restartEvery_ = std::clamp(std::chrono::duration_cast<milliseconds>(clock_.now() - now) * 20,
                                   milliseconds{1000}, milliseconds{5000});
    book_.learn(asks, claim->records);
    if (!claim->records.empty()) {
        mood_ = Mood::busy;
        lingered_ = 0;
        uncovered_.reset();
        if (handOut(std::move(claim).value(), now))
            schedule(milliseconds{0});
        return;
    }
    if (book_.hasMarks()) {
        book_.forgetMarks();
        restartedAt_ = now;
        uncovered_.reset();
        schedule(milliseconds{0});
        return;
    }
    // More lanes than room or batch: nothing is found when all of them were asked.
    const std::size_t before = uncovered_.value_or(book_.open(free));
    uncovered_ = before - std::min(before, asks.size());
    if (*uncovered_ > 0) {
        schedule(milliseconds{0});
        return;
    }
    uncovered_.reset();
    foundNothing();
}

milliseconds ClaimLoop::nextPause(Instant now) const
{
    milliseconds soonest{0};
    for (const auto &room : rooms_) {
        if (room.heldUntil <= now)
            continue;
        const auto left = std::chrono::ceil<milliseconds>(room.heldUntil - now);
        soonest = soonest == milliseconds{0} ? left : std::min(soonest, left);
    }
    return soonest;
}

void ClaimLoop::foundNothing()
{
    if (tellDrained_) {
        if (allIdle() && nextPause(clock_.now()) == milliseconds{0}) {
            tellDrained_ = false;
            Q_EMIT drained();
        } else {
            schedule(milliseconds{20});
            return;
        }
    }
    if (static_cast<std::size_t>(lingered_) < lingering.size()) {
        mood_ = Mood::lingering;
        schedule(lingering[static_cast<std::size_t>(lingered_++)]);
        return;
    }
    lingered_ = 0;
    restless_ = 0;
    doze();
}

void ClaimLoop::doze()
{
    if (lanesStale_ && !refreshLanes())
        return;
    // Where there is no room, room is what we wait for, not the time at which something is due.
    const auto dozed = store()->doze(worker(), book_.ids(freeRoom(clock_.now())));
    if (!dozed) {
        failed(dozed.error());
        return;
    }
    marked_ = true;
    mood_ = Mood::dozing;
    notified_ = false;
    const Instant now = clock_.now();
    dueAt_.reset();
    if (dozed->nextDueIn)
        dueAt_ = now + std::max(*dozed->nextDueIn, milliseconds{1});
    // Not quiet: a transaction that did not see our mark is still on its way. Quiet: it may have committed just
    // before, so one more look. What is due already and was not found is held by somebody else for the moment.
    const bool restless = !dozed->quiet || (dozed->nextDueIn && *dozed->nextDueIn <= milliseconds{0} && restless_ > 0);
    restless_ = restless ? restless_ + 1 : 0;
    if (restless)
        schedule(std::min(longestRestless, milliseconds{5 * (1 << std::min(restless_, 6))}));
    else
        look();
}

bool ClaimLoop::lookOnce(const QHash<QString, int> &free)
{
    if (free.isEmpty())
        return true;
    const Instant before = clock_.now();
    auto claim = store()->claimAny(worker(), settings_.lease, free, settings_.batch);
    if (!claim) {
        failed(claim.error());
        return false;
    }
    if (claim->records.empty())
        return true;
    (void)handOut(std::move(claim).value(), before);
    if (store() != nullptr)
        wakeUp();
    return false;
}

void ClaimLoop::look()
{
    const Instant now = clock_.now();
    const bool wasDue = dueAt_ && *dueAt_ <= now;
    const bool asked = std::exchange(notified_, false);
    if (!lookOnce(freeRoom(now)))
        return;
    // Told or timed to look, and nothing there: somebody else took it, or it is due later, or in a lane that had no
    // route yet. The store says what comes next.
    if (restless_ > 0 || asked || wasDue) {
        lanesStale_ = lanesStale_ || asked;
        restless_ += wasDue ? 1 : 0;
        doze();
        return;
    }
    milliseconds wait = settings_.poll;
    if (dueAt_)
        wait = std::min(wait, std::max(milliseconds{1}, std::chrono::ceil<milliseconds>(*dueAt_ - now)));
    if (const auto pause = nextPause(now); pause > milliseconds{0})
        wait = std::min(wait, pause);
    schedule(wait);
    Q_EMIT fellAsleep();
}

void ClaimLoop::wakeUp()
{
    mood_ = Mood::busy;
    lingered_ = 0;
    restless_ = 0;
    uncovered_.reset();
    lanesStale_ = true;
    if (marked_) {
        if (const auto done = store()->awake(worker()); !done) {
            failed(done.error());
            return;
        }
        marked_ = false;
    }
    schedule(milliseconds{0});
}

bool ClaimLoop::handOut(store::Claim claim, Instant before)
{
    const bool allKnown = std::all_of(claim.records.begin(), claim.records.end(),
                                      [this](const store::ClaimedRecord &record) { return book_.knows(record.lane); });
    if (!allKnown && !refreshLanes())
        return false; // The lease runs out and they come back.
    const Instant ends = before + settings_.lease;
    leases_.opened(worker(), claim.fence, static_cast<int>(claim.records.size()), ends);
    counters_.claimed += static_cast<std::int64_t>(claim.records.size());
    counters_.inFlight += static_cast<int>(claim.records.size());

    std::map<int, std::shared_ptr<ClaimedBatch>> batches;
    for (auto &record : claim.records) {
        const auto at = names_.indexOf(book_.destinationOf(record.lane).value());
        auto &batch = batches[static_cast<int>(at)];
        if (!batch)
            batch = std::make_shared<ClaimedBatch>(ClaimedBatch{worker(), claim.fence, ends, {}});
        batch->records.push_back(std::move(record));
    }
    for (const auto &[destination, batch] : batches) {
        rooms_[static_cast<std::size_t>(destination)].inFlight += static_cast<int>(batch->records.size());
        Q_EMIT claimed(destination, batch);
    }
    return true;
}

} // namespace outbox::dispatch
