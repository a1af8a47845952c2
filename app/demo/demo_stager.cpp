// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo/demo_stager.h"

#include "base/log.h"
#include "demo/demo_receiver.h"

#include <algorithm>
#include <array>

namespace outbox::demo {

namespace {

constexpr milliseconds tickWidth{50};
constexpr seconds reconnectAfter{2};
constexpr double mostAtOnce = 50; ///< transactions a tick, so that stop() is never far away

/// What ends a transaction that is rolled back on purpose. No SQLSTATE of any server.
const QString onPurpose = QStringLiteral("demo");

bool isOnPurpose(const store::StoreError &error)
{
    const auto *refused = std::get_if<store::Refused>(&error);
    return refused != nullptr && refused->sqlState == onPurpose;
}

} // namespace

DemoStager::DemoStager(store::ServerAddress address, const DemoPlan &plan, Random random)
    : address_(std::move(address)), plan_(plan), random_(random)
{
}

DemoIds DemoStager::ids() const
{
    const QMutexLocker lock(&mutex_);
    return ids_;
}

void DemoStager::onStart()
{
    timer_ = new QTimer(this);
    connect(timer_, &QTimer::timeout, this, &DemoStager::tick);
    lastTick_ = SteadyClock().now();
    timer_->start(tickWidth);
}

void DemoStager::onStop()
{
    delete timer_;
    timer_ = nullptr;
    connection_.reset();
    finishStop();
}

void DemoStager::tick()
{
    const Instant now = SteadyClock().now();
    owed_ += std::chrono::duration<double>(now - lastTick_).count() * plan_.perSecond;
    owed_ = std::min(owed_, mostAtOnce);
    lastTick_ = now;
    for (; owed_ >= 1 && timer_->isActive(); owed_ -= 1) {
        if (!connectStore())
            return;
        transact();
        if (plan_.transactions && committedTransactions_ + rolledBackTransactions_ >= *plan_.transactions) {
            timer_->stop();
            Q_EMIT finished();
        }
    }
}

bool DemoStager::connectStore()
{
    if (connection_ && connection_->isUsable())
        return true;
    const Instant now = SteadyClock().now();
    if (now < nextConnect_)
        return false;
    nextConnect_ = now + reconnectAfter;
    connection_.reset();
    store::ConnectionSettings settings;
    settings.purpose = QStringLiteral("outbox-demo");
    settings.needWrite = true;
    auto opened = store::Connection::open(address_, settings);
    if (!opened) {
        if (!saidAway_)
            log::warning("demo.waits", {{"reason", store::describe(opened.error())}});
        saidAway_ = true;
        return false;
    }
    saidAway_ = false;
    connection_ = std::move(opened).value();
    return true;
}

void DemoStager::transact()
{
    const bool rollBack = random_.unit() < plan_.rolledBackShare;
    Order order;
    const auto done = connection_->transaction<Done>([&]() -> Result<Done, store::StoreError> {
        auto staged = stageOrder();
        if (!staged)
            return staged.error();
        order = std::move(staged).value();
        if (rollBack)
            return store::StoreError(store::Refused{onPurpose, QStringLiteral("rolled back on purpose"), {}});
        return Done{};
    });
    if (done || isOnPurpose(done.error())) {
        note(order, rollBack);
        return;
    }
    log::warning("demo.transaction-failed", {{"reason", store::describe(done.error())}});
    if (std::holds_alternative<store::InDoubt>(done.error())) {
        const QMutexLocker lock(&mutex_);
        for (const auto &id : std::as_const(order.ids))
            ids_.inDoubt.insert(id);
    }
}

Result<DemoStager::Order, store::StoreError> DemoStager::stageOrder()
{
    ++orderNumber_;
    Order order;
    const int messages = 1 + static_cast<int>(random_.unit() * 3);
    for (int i = 0; i < messages; ++i) {
        const auto request = nextMessage();
        const auto id = operations::stageMessage(*connection_, request);
        if (!id)
            return id.error();
        order.ids << *id;
        if (request.type == QString::fromLatin1(DemoReceiver::brokenType))
            order.broken << *id;
    }
    return order;
}

operations::StageRequest DemoStager::nextMessage()
{
    static const std::array<QString, 3> usual{QStringLiteral("demo.order.placed"),
                                              QStringLiteral("demo.payment.captured"),
                                              QStringLiteral("demo.customer.notified")};
    operations::StageRequest request;
    request.kind = QStringLiteral("provider_side_effect");
    const double chance = random_.unit();
    if (chance < plan_.brokenShare) {
        request.type = QString::fromLatin1(DemoReceiver::brokenType);
    } else if (chance < plan_.brokenShare + plan_.flakyShare) {
        request.type = QString::fromLatin1(DemoReceiver::flakyType);
    } else {
        request.type = usual.at(static_cast<std::size_t>(random_.unit() * static_cast<double>(usual.size())));
        if (request.type == usual[0]) {
            request.kind = QStringLiteral("integration_event");
            request.eventRecord = QStringLiteral("order-%1-placed").arg(orderNumber_);
        }
    }
    request.tenant = random_.unit() < 0.5 ? QStringLiteral("north") : QStringLiteral("south");
    request.payload = QStringLiteral("{\"order\": %1, \"amount\": %2, \"currency\": \"EUR\"}")
                          .arg(orderNumber_)
                          .arg(random_.unit() * 500, 0, 'f', 2)
                          .toUtf8();
    return request;
}

void DemoStager::note(const Order &order, bool rolledBack)
{
    ++(rolledBack ? rolledBackTransactions_ : committedTransactions_);
    if (!rolledBack)
        staged_ += order.ids.size();
    if (!plan_.transactions)
        return;
    const QMutexLocker lock(&mutex_);
    for (const auto &id : order.ids)
        (rolledBack ? ids_.rolledBack : ids_.committed).insert(id);
    if (!rolledBack)
        for (const auto &id : order.broken)
            ids_.broken.insert(id);
}

} // namespace outbox::demo
