// SPDX-License-Identifier: Apache-2.0
#include "domain/specification/validate.h"

#include <QtTest>

#include <functional>

using namespace outbox;
using namespace std::chrono_literals;

namespace {

Specification good()
{
    Specification one;
    one.id = SpecificationId(QStringLiteral("notify-warehouse"));
    one.messages = {{MessageType(QStringLiteral("orders.placed")), SchemaVersion(1)},
                    {MessageType(QStringLiteral("orders.placed")), SchemaVersion(2)}};
    one.kind = IntegrationEvent{};
    one.destination = DestinationName(QStringLiteral("orders-broker"));
    one.boundary = QStringLiteral("the broker has confirmed the publish");
    one.retry.horizon = 24h;
    one.recoveryOwner = QStringLiteral("team warehouse");
    one.recordOwner = QStringLiteral("team orders");
    one.target = {1min, Share(0.999), 600};
    one.limits = deriveLimits(one.target, {});
    one.status = Active{};
    return one;
}

QStringList fieldsOf(const Specification &specification)
{
    QStringList fields;
    for (const auto &each : problemsOf(specification))
        fields << each.field;
    return fields;
}

using Break = std::function<void(Specification &)>;

} // namespace

Q_DECLARE_METATYPE(Break)

/// The rules of a delivery specification, without any file.
class SpecificationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aGoodOneHasNoProblem(); // S1
    void namesTheField_data();
    void namesTheField();                       // S1
    void aRepeatableBestEffortCannotBeActive(); // S2
    void otherBestEffortMayBeActive();          // S2
    void limitsFollowFromTheTarget();           // S20
    void statedLimitsStay();                    // S20
    void aDraftIsOverdueTheDayAfter();          // S1
    void pointersAreThoseOfRfc6901();
};

void SpecificationTest::aGoodOneHasNoProblem() { QCOMPARE(fieldsOf(good()), QStringList()); }

void SpecificationTest::namesTheField_data()
{
    QTest::addColumn<Break>("breaks");
    const auto row = [](const char *field, Break breaks) { QTest::newRow(field) << std::move(breaks); };
    row("id", [](Specification &s) { s.id = SpecificationId(QStringLiteral("a b")); });
    row("version", [](Specification &s) { s.version = SpecificationVersion(0); });
    row("messages", [](Specification &s) { s.messages.clear(); });
    row("messages[0].type", [](Specification &s) { s.messages = {{MessageType(QStringLiteral("orders.*"))}}; });
    row("messages[1].versions", [](Specification &s) { s.messages[1] = s.messages[0]; });
    row("destination", [](Specification &s) { s.destination = DestinationName(); });
    row("boundary", [](Specification &s) { s.boundary = QStringLiteral("  "); });
    row("duplicates.business_key", [](Specification &s) { s.duplicates = DropsByBusinessKey{}; });
    row("retry.base", [](Specification &s) { s.retry.backoff.base = 0ms; });
    row("retry.cap", [](Specification &s) { s.retry.backoff.cap = 1ms; });
    row("retry.attempts", [](Specification &s) { s.retry.limit.attempts = 0; });
    row("retry.horizon", [](Specification &s) { s.retry.horizon = 0ms; });
    row("recovery_owner", [](Specification &s) { s.recoveryOwner.clear(); });
    row("record_owner", [](Specification &s) { s.recordOwner.clear(); });
    row("retention", [](Specification &s) { s.retention = 1h; });
    row("target.share", [](Specification &s) { s.target.share = Share(1); });
    row("target.messages_a_minute", [](Specification &s) { s.target.messagesAMinute = 0; });
    row("limits.pending_age", [](Specification &s) { s.limits.pendingAge = {2min, LimitOrigin::stated}; });
    row("limits.pending_count", [](Specification &s) { s.limits.pendingCount = {0, LimitOrigin::stated}; });
    row("limits.failure_rate", [](Specification &s) { s.limits.failureRate = {Share(1), LimitOrigin::stated}; });
    row("decider", [](Specification &s) { s.status = Draft{QString(), QDate(2027, 1, 31)}; });
    row("decide_by", [](Specification &s) { s.status = Draft{QStringLiteral("Ann"), QDate()}; });
}

void SpecificationTest::namesTheField()
{
    QFETCH(const Break, breaks);
    Specification one = good();
    breaks(one);
    QCOMPARE(fieldsOf(one), QStringList{QString::fromLatin1(QTest::currentDataTag())});
    QVERIFY(!problemsOf(one).constFirst().reason.isEmpty());
}

void SpecificationTest::aRepeatableBestEffortCannotBeActive()
{
    Specification one = good();
    one.guarantee = BestEffort{true};
    QCOMPARE(fieldsOf(one), QStringList{QStringLiteral("status")});
    QVERIFY(problemsOf(one).constFirst().reason.contains(QStringLiteral("AfterCommitPublisher")));
    one.status = Retired{};
    QCOMPARE(fieldsOf(one), QStringList());
    one.status = Draft{QStringLiteral("Ann"), QDate(2027, 1, 31)};
    QCOMPARE(fieldsOf(one), QStringList());
}

void SpecificationTest::otherBestEffortMayBeActive()
{
    Specification one = good();
    one.guarantee = BestEffort{false};
    QCOMPARE(fieldsOf(one), QStringList());
}

void SpecificationTest::limitsFollowFromTheTarget()
{
    const Limits limits = deriveLimits({90s, Share(0.995), 1000}, {});
    QCOMPARE(limits.pendingAge.most.count(), milliseconds(90s).count());
    QCOMPARE(limits.pendingCount.most, 1500);
    QCOMPARE(limits.failureRate.most.value(), 0.005);
    QVERIFY(limits.pendingAge.origin == LimitOrigin::derived && limits.pendingCount.origin == LimitOrigin::derived &&
            limits.failureRate.origin == LimitOrigin::derived);
    QCOMPARE(deriveLimits({10ms, Share(0.5), 1}, {}).pendingCount.most, 1); // never none at all
    QCOMPARE(deriveLimits({24h * 3650, Share(0.5), 1'000'000'000}, {}).pendingCount.most, 1'000'000'000'000'000);
}

void SpecificationTest::statedLimitsStay()
{
    const Limits limits = deriveLimits({90s, Share(0.995), 1000}, {30s, 7, std::nullopt});
    QCOMPARE(limits.pendingAge.most.count(), milliseconds(30s).count());
    QCOMPARE(limits.pendingCount.most, 7);
    QVERIFY(limits.pendingAge.origin == LimitOrigin::stated && limits.pendingCount.origin == LimitOrigin::stated);
    QVERIFY(limits.failureRate.origin == LimitOrigin::derived);
}

void SpecificationTest::aDraftIsOverdueTheDayAfter()
{
    const Draft draft{QStringLiteral("Ann"), QDate(2027, 1, 31)};
    QVERIFY(!isOverdue(draft, QDate(2027, 1, 31)));
    QVERIFY(isOverdue(draft, QDate(2027, 2, 1)));
}

void SpecificationTest::pointersAreThoseOfRfc6901()
{
    const auto tokens = [](const char *text) {
        const auto parsed = JsonPointer::parse(QString::fromLatin1(text));
        return parsed ? parsed->tokens() : QStringList{QStringLiteral("(refused)")};
    };
    QCOMPARE(tokens(""), QStringList());
    QCOMPARE(tokens("/"), QStringList{QString()});
    QCOMPARE(tokens("/a/0/b"), (QStringList{QStringLiteral("a"), QStringLiteral("0"), QStringLiteral("b")}));
    QCOMPARE(tokens("/a~1b/m~0n/~01"),
             (QStringList{QStringLiteral("a/b"), QStringLiteral("m~n"), QStringLiteral("~1")}));
    for (const auto *wrong : {"a", "#/a", "/a~", "/a~2"})
        QVERIFY2(!JsonPointer::parse(QString::fromLatin1(wrong)), wrong);
}

QTEST_GUILESS_MAIN(SpecificationTest)
#include "specification_test.moc"
