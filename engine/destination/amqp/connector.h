// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "destination/amqp/amqp_connection.h"

#include <QObject>

#include <memory>

class QThread;

namespace outbox::destination {

/// Opens connections in a thread of its own, one at a time, because connecting blocks and the
/// destination's thread must go on settling what is due.
class Connector : public QObject {
    Q_OBJECT
public:
    explicit Connector(AmqpConfig config, QObject *parent = nullptr);
    /// Waits for an attempt under way.
    ~Connector() override;

    /// Begins an attempt, unless one is under way.
    void connectToBroker();
    [[nodiscard]] bool isConnecting() const { return thread_ != nullptr; }

Q_SIGNALS:
    /// In this object's thread. Exactly one of the two ends each attempt.
    void connected(std::shared_ptr<outbox::destination::AmqpConnection> connection);
    void failed(const QString &reason);

private:
    using Opened = Result<std::unique_ptr<AmqpConnection>, QString>;
    void end();

    AmqpConfig config_;
    std::unique_ptr<QThread> thread_;
    std::shared_ptr<std::optional<Opened>> opened_;
};

} // namespace outbox::destination
