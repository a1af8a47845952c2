// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "received_log.h"

#include <QString>

#include <memory>
#include <thread>

namespace outbox::chaos {

/// Takes every message of a queue, in a thread of its own, and writes its id to the log.
class BrokerConsumer {
public:
    /// Makes the queue and begins to consume.
    static Result<std::unique_ptr<BrokerConsumer>, QString> start(int port, const QString &queue, ReceivedLog &log);
    ~BrokerConsumer();

    /// Publishes a last message behind all others and waits until it arrives: by then everything has.
    Result<Done, QString> finish();

private:
    BrokerConsumer(int port, QString queue) : port_(port), queue_(std::move(queue)) {}
    int port_;
    QString queue_;
    QString error_; ///< of the thread; read after it has ended
    std::thread thread_;
};

} // namespace outbox::chaos
