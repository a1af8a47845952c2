// SPDX-License-Identifier: Apache-2.0
#include "dispatch/outcome_writer.h"

#include "base/log.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace outbox::dispatch {

namespace {

/// Records of one write. Larger ones hold locks for longer and gain nothing.
constexpr std::size_t mostAtOnce = 1000;

store::ConnectionSettings connectionSettings()
{
    store::ConnectionSettings settings;
    settings.purpose = QStringLiteral("outbox-outcomes");
    settings.needWrite = true;
    return settings;
}

} // namespace

OutcomeWriter::OutcomeWriter(store::ServerAddress address, WorkerSettings settings, LeaseTable &leases,
                             WorkerCounters &counters, Random random)
    : store::StoreUser(std::move(address), connectionSettings()), settings_(std::move(settings)), leases_(leases),
      counters_(counters), random_(std::move(random))
{
}

void OutcomeWriter::add(const std::shared_ptr<std::vector<Outcome>> &outcomes)
{
    std::move(outcomes->begin(), outcomes->end(), std::back_inserter(waiting_));
    scheduleFlush();
}

void OutcomeWriter::onConnected() { scheduleFlush(); }

void OutcomeWriter::scheduleFlush()
{
    if (flushPosted_)
        return;
    flushPosted_ = true;
    // Behind what is queued already: all of that goes into the same batch.
    QMetaObject::invokeMethod(
        this,
        [this] {
            flushPosted_ = false;
            flush();
        },
        Qt::QueuedConnection);
}

void OutcomeWriter::flush()
{
    if (store() != nullptr && !waiting_.empty() && writeSome() && !waiting_.empty())
        scheduleFlush();
    finishWhenEmpty();
}

OutcomeWriter::Sorted OutcomeWriter::sort(const std::vector<Outcome> &outcomes)
{
    Sorted sorted;
    for (const auto &outcome : outcomes) {
        std::visit(overload{
                       [&](const delivery::Accepted &) { sorted.completed.push_back(outcome.held); },
                       [&](const delivery::NotTried &) { sorted.untried.push_back(outcome.held); },
                       [&](const delivery::Failed &failed) {
                           const auto &failure = failed.failure;
                           store::FailedAttempt attempt{
                               outcome.held, failure.cause, failure.summary, outcome.took, {}, settings_.retry.horizon};
                           const auto after = afterFailure(outcome.attempt, failure.cause, settings_.retry);
                           if (std::holds_alternative<GiveUp>(after)) {
                               sorted.dead.push_back(std::move(attempt));
                               return;
                           }
                           attempt.delay = settings_.backoff.wait(outcome.attempt, random_);
                           if (failure.retryAfter)
                               attempt.delay =
                                   std::max(attempt.delay, std::min(*failure.retryAfter, milliseconds{86400000}));
                           sorted.retries.push_back(std::move(attempt));
                       },
                   },
                   outcome.result);
    }
    return sorted;
}

std::optional<store::StoreError> OutcomeWriter::write(WorkerId worker, const Sorted &sorted, Refused &refused)
{
    const auto note = [&](const Result<store::RefusedIds, store::StoreError> &result,
                          std::size_t &records) -> std::optional<store::StoreError> {
        if (!result)
            return result.error();
        records = result->size();
        if (!inDoubt_ && !result->empty())
            log::warning("outcome.refused", {{"records", result->size()}, {"first", toText(result->front())}});
        return std::nullopt;
    };
    if (!sorted.completed.empty())
        if (auto error = note(store()->complete(worker, sorted.completed), refused.completed))
            return error;
    if (!sorted.retries.empty()) {
        auto fates = store()->retry(worker, sorted.retries);
        if (!fates)
            return fates.error();
        refused.ended = fates->dead;
        if (auto error = note(std::move(fates->refused), refused.retries))
            return error;
    }
    if (!sorted.dead.empty())
        if (auto error = note(store()->deadLetter(worker, sorted.dead), refused.dead))
            return error;
    if (!sorted.untried.empty())
        if (auto error = note(store()->release(worker, sorted.untried), refused.untried))
            return error;
    return std::nullopt;
}

void OutcomeWriter::count(const Sorted &sorted, const Refused &refused)
{
    // What is written again may have been done the first time: the fence refuses it then, and it did happen.
    const auto done = [this](std::size_t records, std::size_t missed) {
        return static_cast<std::int64_t>(inDoubt_ ? records : records - missed);
    };
    counters_.accepted += done(sorted.completed.size(), refused.completed);
    counters_.retried += done(sorted.retries.size() - refused.ended, refused.retries);
    counters_.dead += done(sorted.dead.size() + refused.ended, refused.dead);
    counters_.released += done(sorted.untried.size(), refused.untried);
    if (!inDoubt_)
        counters_.refused +=
            static_cast<std::int64_t>(refused.completed + refused.retries + refused.dead + refused.untried);
}

bool OutcomeWriter::writeSome()
{
    // One worker's outcomes at a time; there is one, unless the store was made anew in between.
    const WorkerId worker = waiting_.front().worker;
    std::vector<Outcome> batch;
    while (batch.size() < mostAtOnce && batch.size() < waiting_.size() && waiting_[batch.size()].worker == worker)
        batch.push_back(std::move(waiting_[batch.size()]));
    const auto taken = static_cast<std::ptrdiff_t>(batch.size());

    const Sorted sorted = sort(batch);
    Refused refused;
    if (const auto error = write(worker, sorted, refused)) {
        const bool conflict = std::holds_alternative<store::Conflict>(*error);
        if (conflict || store::isOutage(*error)) {
            std::move(batch.begin(), batch.end(), waiting_.begin());
            inDoubt_ = true; // parts of the batch are written, perhaps all of it
            if (conflict)
                return true;
            fail(*error);
            return false;
        }
        // Not an outage, so trying again cannot help: the leases run out and the records come back.
        log::error("outcome.not-written", {{"records", batch.size()}, {"error", store::describe(*error)}});
    } else {
        count(sorted, refused);
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + taken);
    inDoubt_ = false;
    counters_.inFlight -= static_cast<int>(batch.size());

    std::map<std::int64_t, int> byFence;
    std::map<int, int> byDestination;
    std::map<int, bool> tried;
    for (const auto &outcome : batch) {
        ++byFence[outcome.held.fence.value()];
        ++byDestination[outcome.destination];
        tried[outcome.destination] |= !std::holds_alternative<delivery::NotTried>(outcome.result);
    }
    for (const auto &[fence, records] : byFence)
        leases_.settled(Fence(fence), records);
    qint64 dueIn = -1;
    for (const auto &attempt : sorted.retries)
        dueIn = dueIn < 0 ? attempt.delay.count() : std::min<qint64>(dueIn, attempt.delay.count());
    for (const auto &[destination, any] : tried)
        Q_EMIT answered(destination, any);
    for (const auto &[destination, records] : byDestination)
        Q_EMIT written(destination, records, dueIn);
    return true;
}

void OutcomeWriter::onStop()
{
    if (store() == nullptr && !waiting_.empty())
        log::warning("outcome.left-behind", {{"records", waiting_.size()}, {"why", "the store is away"}});
    if (store() == nullptr) {
        finishStop();
        return;
    }
    scheduleFlush();
}

void OutcomeWriter::finishWhenEmpty()
{
    if (isStopping() && (waiting_.empty() || store() == nullptr))
        finishStop();
}

} // namespace outbox::dispatch
