// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <memory>

namespace outbox::servers {

/// A RabbitMQ of our own: own folder, ports, node name and epmd, nothing shared with one that runs on the
/// machine already. Default user and virtual host: guest, "/". One object, one thread; calls block.
class RabbitNode {
public:
    static Result<std::unique_ptr<RabbitNode>, QString> start(milliseconds limit = seconds{90});
    RabbitNode(const RabbitNode &) = delete;
    RabbitNode &operator=(const RabbitNode &) = delete;
    /// Ends the node and its epmd.
    ~RabbitNode();

    [[nodiscard]] int port() const { return port_; }
    /// amqp://guest@127.0.0.1:PORT/%2f; the password is "guest".
    [[nodiscard]] QString url() const;

private:
    RabbitNode();
    Result<Done, QString> begin(milliseconds limit);
    [[nodiscard]] QProcessEnvironment environment() const;

    QTemporaryDir folder_;
    QProcess process_;
    int port_ = 0;
    int distributionPort_ = 0;
    int epmdPort_ = 0;
};

} // namespace outbox::servers
