// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"
#include "base/time.h"
#include "domain/ids.h"

#include <QTest>

#include <memory>

using namespace outbox;

namespace {

class HandClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return now_; }
    void forward(milliseconds span) { now_ += span; }

private:
    Instant now_{};
};

template <typename A, typename B>
concept Comparable = requires(A a, B b)
{
    a == b;
};
template <typename To, typename From>
concept TakesSilently = requires(void (*take)(To), From from)
{
    take(from);
};

// Ids of different things do not mix, and a bare number is no id.
static_assert(Comparable<Fence, Fence>);
static_assert(!Comparable<WorkerId, LaneId>);
static_assert(!TakesSilently<Fence, std::int64_t>);
static_assert(!TakesSilently<WorkerId, LaneId>);

} // namespace

class ResultTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsAValueOrAnError()
    {
        const Result<int, QString> good(7);
        const Result<int, QString> bad(QStringLiteral("no"));
        QVERIFY(good.ok() && static_cast<bool>(good));
        QCOMPARE(*good, 7);
        QVERIFY(!bad.ok() && !static_cast<bool>(bad));
        QCOMPARE(bad.error(), QStringLiteral("no"));
    }

    void givesItsValueAway()
    {
        Result<std::unique_ptr<int>, QString> made(std::make_unique<int>(7));
        const std::unique_ptr<int> taken = std::move(made).value();
        QCOMPARE(*taken, 7);
    }

    void visitorsMeetTheRightAlternative()
    {
        const std::variant<int, QString> content(QStringLiteral("text"));
        QCOMPARE(std::visit(overload{[](int) { return 1; }, [](const QString &) { return 2; }}, content), 2);
    }

    void idsCompareAndHashByTheirValue()
    {
        QCOMPARE(Fence(3), Fence(3));
        QVERIFY(Fence(3) < Fence(4));
        QCOMPARE(qHash(Fence(3)), qHash(Fence(3)));
        const MessageId id(QUuid(QStringLiteral("{0190A0C8-0000-7000-8000-000000000001}")));
        QCOMPARE(toText(id), QStringLiteral("0190a0c8-0000-7000-8000-000000000001"));
    }

    void aDeadlineCountsDownToZero()
    {
        HandClock clock;
        const auto deadline = Deadline::in(milliseconds{100}, clock);
        QCOMPARE(deadline.remaining(clock.now()), milliseconds{100});
        QVERIFY(!deadline.passed(clock.now()));
        clock.forward(milliseconds{99});
        QCOMPARE(deadline.remaining(clock.now()), milliseconds{1});
        clock.forward(milliseconds{1});
        QVERIFY(deadline.passed(clock.now()));
        clock.forward(milliseconds{1000});
        QCOMPARE(deadline.remaining(clock.now()), milliseconds{0});
    }
};

QTEST_APPLESS_MAIN(ResultTest)

#include "result_test.moc"
