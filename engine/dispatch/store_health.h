// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "base/service.h"
#include "dispatch/worker_settings.h"
#include "store/connection.h"

#include <QStringList>
#include <QTimer>

#include <optional>

namespace outbox::dispatch {

/// Knows whether the store serves (S14, S15): the gate of all dispatch. While it is closed nobody polls; this
/// service alone tries, with bounded backoff and jitter. One log line when an outage begins and one when it ends,
/// with its duration and how many reports and tries were not logged. A store that lets us in and fails at once
/// again is one long outage: the waits keep growing, and its end is told when it has served for a while.
///
/// Opening registers the worker, applies its routes, and tells everybody the worker's number.
class StoreHealth final : public Service {
    Q_OBJECT
public:
    StoreHealth(store::ServerAddress address, WorkerSettings settings, QStringList destinations, const Clock &clock,
                Random random);
    ~StoreHealth() override;

    struct Condition {
        bool ready = false;
        QString reason; ///< when not: in words; empty before the first answer
        std::int64_t sinceUnixMilliseconds = 0;
    };

public Q_SLOTS:
    /// A user of the store could not use it.
    void onStoreFailed(const outbox::store::StoreError &error);

Q_SIGNALS:
    void opened(qint32 worker);
    void closed();
    void conditionChanged(const outbox::dispatch::StoreHealth::Condition &condition);

protected:
    void onStart() override;
    void onStop() override;

private:
    void probe();
    Result<WorkerId, store::StoreError> enter();
    void close(const store::StoreError &error);
    void publish(bool ready, const QString &reason);
    void tellOfTheEnd();
    void onSettled();

    const store::ServerAddress address_;
    const WorkerSettings settings_;
    const QStringList destinations_;
    const Clock &clock_;
    Random random_;
    const Backoff backoff_{milliseconds{250}, milliseconds{10000}};
    QTimer timer_;
    QTimer settling_; ///< runs while an opening is too young to be trusted
    std::optional<WorkerId> worker_;
    bool open_ = false;
    bool logged_ = false;
    bool flapping_ = false; ///< closed again right after an opening
    Instant awaySince_{};
    int failures_ = 0;
    int suppressed_ = 0;
};

} // namespace outbox::dispatch

Q_DECLARE_METATYPE(outbox::dispatch::StoreHealth::Condition)
