// SPDX-License-Identifier: Apache-2.0
#include "scripted_data.h"

#include "base/result.h"

#include <cmath>

namespace outbox::test {

using std::chrono::minutes;

Timestamp nowForTests() { return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()); }

MessageId idOf(int number)
{
    return MessageId(QUuid::fromString(QStringLiteral("01936f2a-%1-7d02-9b1e-5a0c3e88%2")
                                           .arg(number / 65536, 4, 16, QLatin1Char('0'))
                                           .arg(number % 65536, 4, 16, QLatin1Char('0'))));
}

api::RecordRow rowOf(int number, const OutboxState &state)
{
    api::RecordRow row;
    row.id = idOf(number);
    row.stagedAt = nowForTests() - minutes{20} + seconds{number % 1200};
    row.kind = QStringLiteral("provider_side_effect");
    row.type = QStringLiteral("payments.capture");
    row.version = 2;
    row.destination = QStringLiteral("payments");
    row.state = state;
    return row;
}

QList<api::RecordRow> pendingRows(int count)
{
    QList<api::RecordRow> rows;
    for (int number = count; number > 0; --number)
        rows.append(rowOf(number));
    return rows;
}

namespace {

OutboxState stateFor(int number, Timestamp now)
{
    switch (number % 11) {
    case 0: return Pending{0, now};
    case 3: return Pending{2, now + seconds{40}};
    case 4: return Processing{1, Lease{WorkerId(3), Fence(88), now + seconds{21}}};
    case 7:
        return DeadLetter{1, now - minutes{number % 50 + 1}, FailureCause::rejected,
                          QStringLiteral("422 Unprocessable: currency is not accepted for this account")};
    case 9:
        return DeadLetter{10, now - minutes{number % 70 + 2}, FailureCause::timeout,
                          QStringLiteral("no answer within 10 s")};
    default: return Dispatched{1, now - seconds{number % 60}};
    }
}

QList<api::DeadLetterGroup> groupsOf(const QList<api::RecordRow> &rows)
{
    QList<api::DeadLetterGroup> groups;
    for (const api::RecordRow &row : rows) {
        const auto *dead = std::get_if<DeadLetter>(&row.state);
        if (!dead)
            continue;
        auto found = std::find_if(groups.begin(), groups.end(), [&](const api::DeadLetterGroup &group) {
            return group.type == row.type && group.version == row.version && group.cause == dead->cause;
        });
        if (found == groups.end())
            found = groups.insert(groups.end(), {dead->cause, row.type, row.version, row.destination, 0, dead->failedAt,
                                                 dead->failedAt, dead->reason});
        ++found->count;
        found->firstFailedAt = std::min(found->firstFailedAt, dead->failedAt);
        found->lastFailedAt = std::max(found->lastFailedAt, dead->failedAt);
    }
    std::sort(groups.begin(), groups.end(), [](const auto &a, const auto &b) { return a.count > b.count; });
    return groups;
}

} // namespace

void fillWithAfternoon(ScriptedPort &port)
{
    const Timestamp now = nowForTests();
    port.store = {
        api::StoreCondition::ready, QStringLiteral("orders @ db-prod"), QStringLiteral("ops_lead"), {}, true, 0};
    port.dispatcher.phase = api::DispatcherStatus::Phase::running;
    port.dispatcher.inFlight = 4;
    port.dispatcher.destinations = QStringList{QStringLiteral("orders-broker"), QStringLiteral("payments")};
    port.dispatcher.accepted = 18'204;
    const std::pair<QString, QString> types[] = {{QStringLiteral("payments.capture"), QStringLiteral("payments")},
                                                 {QStringLiteral("orders.placed"), QStringLiteral("orders-broker")},
                                                 {QStringLiteral("payments.refund"), QStringLiteral("payments")},
                                                 {QStringLiteral("shipping.label.print"), QString()}};
    port.rows.clear();
    for (int number = 640; number > 0; --number) {
        api::RecordRow row = rowOf(number, stateFor(number, now));
        row.stagedAt = now - seconds{(640 - number) * 2 + 3};
        const auto &[type, destination] = types[std::size_t(number * 7 % 13 % 4)];
        row.type = type;
        row.destination = destination;
        row.version = number % 4 == 0 ? 2 : 1;
        if (destination.isEmpty())
            row.state = Pending{0, row.stagedAt};
        port.rows.append(row);
    }
    port.groupsAnswer = groupsOf(port.rows);
    std::int64_t dead = 0;
    for (const api::DeadLetterGroup &group : port.groupsAnswer.value())
        dead += group.count;

    api::Overview overview;
    overview.at = now;
    overview.pending = {1284, true};
    overview.processing = {64, true};
    overview.deadLetters = {dead, true};
    overview.dispatchedTotal = 1'204'332;
    overview.retriedTotal = 3'120;
    overview.deadTotal = dead + 31;
    overview.oldestPendingAge = milliseconds{3400};
    overview.oldestPendingType = QStringLiteral("payments.capture v2");
    overview.queryTime = milliseconds{4};
    port.overviewAnswer = overview;

    QList<api::ThroughputPoint> points;
    for (int i = 90; i > 0; --i) {
        api::ThroughputPoint point;
        point.at = std::chrono::floor<seconds>(now) - seconds{10 * i};
        point.width = seconds{10};
        point.dispatched = 2600 + std::int64_t(900 * std::sin(i / 11.0) + 120 * std::cos(i * 1.7));
        point.retried = i > 30 && i < 42 ? 160 - 12 * std::abs(36 - i) : 6 + i % 5;
        points.append(point);
    }
    port.throughputAnswer = points;
    port.detail = [&port](MessageId id) -> api::Answer<api::RecordDetail> {
        for (const api::RecordRow &row : std::as_const(port.rows))
            if (row.id == id)
                return eventfulRecord(row);
        return api::OperationError{api::OperationError::Kind::not_found, QStringLiteral("no such record")};
    };
}

api::RecordDetail eventfulRecord(const api::RecordRow &row)
{
    const Timestamp now = nowForTests();
    api::RecordDetail detail;
    detail.message.id = row.id;
    detail.message.kind = ProviderSideEffect{};
    detail.message.type = MessageType(row.type);
    detail.message.version = SchemaVersion(row.version);
    detail.message.occurredAt = row.stagedAt;
    detail.message.tenant = QStringLiteral("acme");
    detail.message.payload =
        R"({"order":"88121","amount":{"value":129.90,"currency":"EUR"},"express":true,"note":null,)"
        R"("lines":[{"sku":"A-1","count":2},{"sku":"B-7","count":1}],)"
        R"("callback":"https://shop.example/pay/88121"})";
    detail.message.headers = {{QStringLiteral("traceparent"), QStringLiteral("00-4bf92f3577b34da6a3ce929d0e0e4736-01")},
                              {QStringLiteral("shop"), QStringLiteral("berlin")}};
    detail.stagedAt = now - seconds{84};
    detail.destination = row.destination;
    detail.state = row.state;
    detail.readAt = now;
    const auto attempt = [&](int number, seconds from, seconds to, FailureCause cause, const QString &summary) {
        detail.attempts.append(
            {number, now - from, now - to, QStringLiteral("berlin-%1").arg(number % 2 + 1), cause, summary});
    };
    std::visit(
        overload{
            [&](Pending &pending) {
                if (pending.attempts == 0)
                    return;
                attempt(1, seconds{80}, seconds{50}, FailureCause::timeout, QStringLiteral("no answer within 30 s"));
                attempt(2, seconds{36}, seconds{12}, FailureCause::target_error,
                        QStringLiteral("503 Service Unavailable, Retry-After 75"));
                pending.nextAttemptAt = now + seconds{40};
            },
            [&](Processing &processing) {
                detail.worker = QStringLiteral("berlin-1");
                detail.claimedAt = now - seconds{9};
                processing.lease.expiresAt = now + seconds{21};
            },
            [&](Dispatched &dispatched) {
                detail.worker = QStringLiteral("berlin-1");
                detail.claimedAt = now - seconds{60};
                dispatched.dispatchedAt = now - seconds{58};
            },
            [&](DeadLetter &dead) {
                dead.failedAt = now - seconds{20};
                dead.attempts = 1;
                attempt(1, seconds{80}, seconds{70}, FailureCause::busy, QStringLiteral("429 Too Many Requests"));
                detail.replays.append({now - seconds{44}, QStringLiteral("ops_lead"),
                                       QStringLiteral("Provider raised the limit (their incident 4412)."),
                                       FailureCause::busy, QStringLiteral("429 Too Many Requests")});
                attempt(1, seconds{40}, seconds{20}, dead.cause, dead.reason);
            },
        },
        detail.state);
    return detail;
}

} // namespace outbox::test
