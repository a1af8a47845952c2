// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "destination/in_process/in_process_destination.h"
#include "runtime/worker_runtime.h"
#include "support/test_store.h"

#include <QSignalSpy>
#include <QStringList>

#include <functional>
#include <mutex>
#include <vector>

namespace outbox::test {

/// A whole worker with one destination, "sink", whose answers the test decides.
class TestWorker {
public:
    using Answer = std::function<delivery::DeliveryOutcome(const Message &, int attempt)>;

    static dispatch::WorkerSettings quickSettings()
    {
        dispatch::WorkerSettings settings;
        settings.name = QStringLiteral("test-worker");
        settings.poll = milliseconds{60000}; // a test that waits for a poll would time out
        settings.backoff = {milliseconds{1}, milliseconds{5}};
        settings.retry.attempts = 3;
        settings.routes = {{QStringLiteral("*"), QStringLiteral("sink")}};
        return settings;
    }

    explicit TestWorker(const store::ServerAddress &address, Answer answer,
                        dispatch::WorkerSettings settings = quickSettings())
        : answer_(std::move(answer)),
          runtime(std::make_unique<runtime::WorkerRuntime>(address, std::move(settings),
                                                           catalogue([this](const Message &m, int attempt) {
                                                               note(m, attempt);
                                                               return answer_(m, attempt);
                                                           }))),
          asleep(runtime.get(), &runtime::WorkerRuntime::fellAsleep),
          changed(runtime.get(), &runtime::WorkerRuntime::storeChanged),
          stopped(runtime.get(), &runtime::WorkerRuntime::stopped)
    {
    }

    /// Keeps what it gets until the test answers.
    static TestWorker holding(const store::ServerAddress &address, dispatch::WorkerSettings settings = quickSettings())
    {
        return TestWorker(address, std::move(settings));
    }

    [[nodiscard]] QStringList received() const
    {
        const std::lock_guard guard(mutex_);
        return received_;
    }
    [[nodiscard]] std::vector<int> attempts() const
    {
        const std::lock_guard guard(mutex_);
        return attempts_;
    }
    [[nodiscard]] std::size_t held() const
    {
        const std::lock_guard guard(mutex_);
        return held_.size();
    }
    /// Answers everything that is held.
    void answerAll(const delivery::DeliveryOutcome &outcome)
    {
        std::vector<destination::Completion> taken;
        {
            const std::lock_guard guard(mutex_);
            taken.swap(held_);
        }
        for (const auto &completion : taken)
            completion(outcome);
    }

private:
    TestWorker(const store::ServerAddress &address, dispatch::WorkerSettings settings)
        : runtime(std::make_unique<runtime::WorkerRuntime>(
              address, std::move(settings),
              catalogue([this](const Message &m, int attempt, destination::Completion completion) {
                  note(m, attempt);
                  const std::lock_guard guard(mutex_);
                  held_.push_back(std::move(completion));
              }))),
          asleep(runtime.get(), &runtime::WorkerRuntime::fellAsleep),
          changed(runtime.get(), &runtime::WorkerRuntime::storeChanged),
          stopped(runtime.get(), &runtime::WorkerRuntime::stopped)
    {
    }

    template <typename Handler>
    static delivery::DestinationCatalogue catalogue(Handler handler)
    {
        using Kind = std::conditional_t<std::is_invocable_v<Handler, const Message &, int>,
                                        destination::InProcessDestination::Handler,
                                        destination::InProcessDestination::AsyncHandler>;
        return {{DestinationName(QStringLiteral("sink")), 100,
                 [kind = Kind(std::move(handler))](delivery::OutcomeSink &sink) {
                     return std::make_unique<destination::InProcessDestination>(sink, kind, 100);
                 }}};
    }

    void note(const Message &message, int attempt)
    {
        const std::lock_guard guard(mutex_);
        received_ << toText(message.id);
        attempts_.push_back(attempt);
    }

    mutable std::mutex mutex_;
    QStringList received_;
    std::vector<int> attempts_;
    std::vector<destination::Completion> held_;
    Answer answer_;

public:
    std::unique_ptr<runtime::WorkerRuntime> runtime;
    QSignalSpy asleep;
    QSignalSpy changed;
    QSignalSpy stopped;
};

inline delivery::DeliveryOutcome accept(const Message &, int) { return delivery::Accepted{}; }

inline delivery::DeliveryOutcome failure(FailureCause cause)
{
    return delivery::Failed{{cause, QStringLiteral("as the test wants"), {}}};
}

} // namespace outbox::test
