// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace outbox {

/// A long-lived thing with a beginning and an end. Start and stop are called in the service's own
/// thread. Stop before start and stop twice are legal; after `stopped` nothing of it runs any more.
class Service : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] bool isRunning() const { return phase_ == Phase::running; }

public Q_SLOTS:
    void start();
    /// Asks it to end; `stopped` follows, at once or when what is in flight has ended.
    void stop();

Q_SIGNALS:
    void started();
    void stopped();

protected:
    virtual void onStart() = 0;
    /// Must lead to finishStop(), now or later.
    virtual void onStop() = 0;
    void finishStop();
    [[nodiscard]] bool isStopping() const { return phase_ == Phase::stopping; }

private:
    enum class Phase { idle, running, stopping };
    Phase phase_ = Phase::idle;
};

} // namespace outbox
