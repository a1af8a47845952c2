// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "base/service.h"
#include "operations/stage_message.h"
#include "store/connection.h"

#include <QMutex>
#include <QSet>
#include <QTimer>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

namespace outbox::demo {

/// What the demo stages. Shares are of 1.
struct DemoPlan {
    int perSecond = 20;              ///< transactions
    std::optional<int> transactions; ///< then it ends; nothing: until stopped
    double rolledBackShare = 0.1;    ///< transactions that are rolled back on purpose
    double flakyShare = 0.05;        ///< messages that fail once, then succeed
    double brokenShare = 0.02;       ///< messages that become dead letters until the receiver is repaired
};

/// The ids of what was staged, for the comparison at the end.
struct DemoIds {
    QSet<MessageId> committed;
    QSet<MessageId> rolledBack;
    QSet<MessageId> inDoubt; ///< the answer to the commit was lost
    QSet<MessageId> broken;  ///< those of the committed that become dead letters
};

/// An application that stages messages: transactions of one to three of them, some rolled back. Lives in a thread of
/// its own. A store that is away is tried again every two seconds.
class DemoStager final : public Service {
    Q_OBJECT
public:
    DemoStager(store::ServerAddress address, const DemoPlan &plan, Random random);

    // From any thread.
    [[nodiscard]] std::int64_t committedTransactions() const { return committedTransactions_; }
    [[nodiscard]] std::int64_t rolledBackTransactions() const { return rolledBackTransactions_; }
    [[nodiscard]] std::int64_t staged() const { return staged_; } ///< committed messages
    /// Only kept when the plan has an end.
    [[nodiscard]] DemoIds ids() const;

Q_SIGNALS:
    /// All transactions of the plan are done.
    void finished();

protected:
    void onStart() override;
    void onStop() override;

private:
    struct Order {
        QList<MessageId> ids;
        QList<MessageId> broken;
    };
    void tick();
    bool connectStore();
    void transact();
    Result<Order, store::StoreError> stageOrder();
    operations::StageRequest nextMessage();
    void note(const Order &order, bool rolledBack);

    const store::ServerAddress address_;
    const DemoPlan plan_;
    Random random_;
    QTimer *timer_ = nullptr;
    std::unique_ptr<store::Connection> connection_;
    Instant nextConnect_{};
    Instant lastTick_{};
    double owed_ = 0;
    std::int64_t orderNumber_ = 0;
    bool saidAway_ = false;
    std::atomic<std::int64_t> committedTransactions_{0};
    std::atomic<std::int64_t> rolledBackTransactions_{0};
    std::atomic<std::int64_t> staged_{0};
    mutable QMutex mutex_;
    DemoIds ids_;
};

} // namespace outbox::demo
