// SPDX-License-Identifier: Apache-2.0
#include "contract/suite.h"
#include "destination/in_process/in_process_destination.h"

#include <QtTest>

#include <stdexcept>
#include <thread>

using namespace outbox;
using namespace outbox::contract;
using delivery::Accepted;
using delivery::DeliveryOutcome;
using delivery::Failed;
using destination::Completion;
using destination::InProcessDestination;

namespace {

/// The other side is a handler of the application.
class Handler final : public Target {
public:
    std::unique_ptr<delivery::Destination> make(delivery::OutcomeSink &sink) override
    {
        return std::make_unique<InProcessDestination>(sink, [this](const Message &message, int, Completion completion) {
            if (mood_ == Mood::hold)
                held_.emplace_back(message, completion);
            else
                answer(message, completion);
        });
    }
    void become(Mood mood) override { mood_ = mood; }
    int held() override { return static_cast<int>(held_.size()); }
    void letGo() override
    {
        mood_ = Mood::accept;
        for (const auto &[message, completion] : std::exchange(held_, {}))
            answer(message, completion);
    }
    void cut() override
    {
        mood_ = Mood::unreachable;
        for (const auto &[message, completion] : std::exchange(held_, {}))
            answer(message, completion);
    }
    std::vector<Received> take() override { return std::exchange(received_, {}); }

private:
    void answer(const Message &message, const Completion &completion)
    {
        const auto fail = [&](FailureCause cause) {
            completion(Failed{{cause, QStringLiteral("the handler says so"), std::nullopt}});
        };
        switch (mood_) {
        case Mood::reject: return fail(FailureCause::rejected);
        case Mood::busy: return fail(FailureCause::busy);
        case Mood::unreachable: return fail(FailureCause::unreachable);
        case Mood::accept:
        case Mood::hold: break;
        }
        received_.push_back({toText(message.id), message.type.value(), message.payload});
        completion(Accepted{});
    }

    Mood mood_ = Mood::accept;
    std::vector<std::pair<Message, Completion>> held_;
    std::vector<Received> received_;
};

} // namespace

class InProcessTest : public Suite {
    Q_OBJECT
protected:
    std::unique_ptr<Target> makeTarget() override { return std::make_unique<Handler>(); }
private Q_SLOTS:
    void plainHandlerAnswersAtOnce();
    void exceptionsAreFailures();
    void aDroppedCompletionIsAFailure();
    void answersFromOtherThreads();
    void answersAfterTheDestinationIsGone();
};

void InProcessTest::plainHandlerAnswersAtOnce()
{
    int attemptSeen = 0;
    InProcessDestination plain(*outcomes_,
                               InProcessDestination::Handler([&](const Message &, int attempt) -> DeliveryOutcome {
                                   attemptSeen = attempt;
                                   return Accepted{};
                               }));
    plain.start();
    std::vector<delivery::Delivery> one;
    one.push_back({delivery::Ticket(nextTicket_++), message(1), 3, Deadline::in(seconds{60}, SteadyClock())});
    plain.deliver(std::move(one));
    QVERIFY(outcomes_->isAccepted(1)); // no event loop has run
    QCOMPARE(attemptSeen, 3);
}

void InProcessTest::exceptionsAreFailures()
{
    const InProcessDestination::Handler plainThrows = [](const Message &, int) -> DeliveryOutcome {
        throw std::runtime_error("{\"number\": 1} is bad");
    };
    const InProcessDestination::AsyncHandler asyncThrows = [](const Message &, int, const Completion &) { throw 1; };
    replace(std::make_unique<InProcessDestination>(*outcomes_, plainThrows));
    destination_->start();
    const auto plain = deliver(message(1));
    replace(std::make_unique<InProcessDestination>(*outcomes_, asyncThrows));
    destination_->start();
    const auto async = deliver(message(1));
    QTRY_VERIFY(outcomes_->of(async));
    for (const auto ticket : {plain, async}) {
        const auto *failure = outcomes_->failureOf(ticket);
        QVERIFY2(failure && failure->cause == FailureCause::target_error, qPrintable(outcomes_->text(ticket)));
        QVERIFY(!failure->summary.contains(QStringLiteral("number")));
    }
}

void InProcessTest::aDroppedCompletionIsAFailure()
{
    replace(std::make_unique<InProcessDestination>(
        *outcomes_, InProcessDestination::AsyncHandler([](const Message &, int, const Completion &) {})));
    destination_->start();
    const auto ticket = deliver(message(1));
    QTRY_VERIFY(outcomes_->of(ticket));
    const auto *failure = outcomes_->failureOf(ticket);
    QVERIFY2(failure && failure->cause == FailureCause::target_error, qPrintable(outcomes_->text(ticket)));
}

void InProcessTest::answersFromOtherThreads()
{
    std::vector<std::thread> threads;
    replace(std::make_unique<InProcessDestination>(
        *outcomes_, InProcessDestination::AsyncHandler([&](const Message &, int, const Completion &completion) {
            threads.emplace_back([completion] {
                completion(Accepted{});
                completion(Failed{}); // twice: the first counts
            });
        })));
    destination_->start();
    deliverMany(32);
    QTRY_COMPARE(outcomes_->accepted(), 32);
    for (auto &each : threads)
        each.join();
}

void InProcessTest::answersAfterTheDestinationIsGone()
{
    std::vector<Completion> kept;
    {
        Outcomes others;
        InProcessDestination gone(
            others, InProcessDestination::AsyncHandler(
                        [&](const Message &, int, const Completion &completion) { kept.push_back(completion); }));
        gone.start();
        std::vector<delivery::Delivery> one;
        one.push_back({delivery::Ticket(1), message(1), 1, Deadline::in(seconds{60}, SteadyClock())});
        gone.deliver(std::move(one));
    }
    QCOMPARE(kept.size(), std::size_t{1});
    kept.front()(Accepted{}); // nobody is there to hear it: the sanitizers watch
}

QTEST_GUILESS_MAIN(InProcessTest)
#include "in_process_test.moc"
