// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/service_thread.h"
#include "demo/demo_receiver.h"
#include "demo/demo_stager.h"
#include "settings/settings.h"

#include <memory>

namespace outbox::demo {

struct DemoCounts {
    std::int64_t committedTransactions = 0;
    std::int64_t rolledBackTransactions = 0;
    std::int64_t staged = 0;     ///< messages of committed transactions
    std::int64_t received = 0;   ///< distinct messages that the receiver accepted
    std::int64_t duplicates = 0; ///< accepted once more
    std::int64_t refused = 0;    ///< requests that the receiver answered with 422 or 503
};

/// Both ends of a demo, each in a thread of its own: an HTTP endpoint that receives messages, from the beginning, and
/// an application that stages them, once it is known where the store is. What lies between, the worker, is the
/// owner's: give it the settings of applyTo().
///
/// Made, used and destroyed in one thread with an event loop.
class DemoWorkload final : public QObject {
    Q_OBJECT
public:
    explicit DemoWorkload(const DemoPlan &plan, QObject *parent = nullptr);
    ~DemoWorkload() override;

    /// The destination "demo" with its route "demo.*", and quick retries, in place of what the settings say of them.
    void applyTo(app::Settings &settings) const;

    /// Begins to stage there. A second time changes nothing.
    void start(const store::ServerAddress &address);
    /// Ends staging; the receiver goes on until destruction. `stopped` follows.
    void stop();
    /// From now on the receiver accepts everything: a time to replay the dead letters.
    void repair() { receiver_.repair(); }

    [[nodiscard]] DemoCounts counts() const;
    [[nodiscard]] DemoIds ids() const { return stager_ ? stager_->service()->ids() : DemoIds(); }
    [[nodiscard]] QSet<QByteArray> accepted() const { return receiver_.accepted(); }

Q_SIGNALS:
    /// All transactions of the plan are done.
    void finished();
    void stopped();

private:
    const DemoPlan plan_;
    DemoReceiver receiver_;
    std::unique_ptr<ServiceThread<DemoStager>> stager_; ///< nothing: not started yet
};

} // namespace outbox::demo
