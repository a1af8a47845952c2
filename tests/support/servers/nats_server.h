// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <memory>

namespace outbox::servers {

/// A nats-server of our own with JetStream: own folder and port, nothing shared with one that runs on the
/// machine already. What it stored survives stop() and goOn(). One object, one thread; calls block.
class NatsServer {
public:
    /// `more`: lines for its configuration file, such as users or certificates.
    static Result<std::unique_ptr<NatsServer>, QString> start(const QByteArray &more = {},
                                                              milliseconds limit = seconds{60});
    NatsServer(const NatsServer &) = delete;
    NatsServer &operator=(const NatsServer &) = delete;
    ~NatsServer() { stop(); }

    void stop();
    /// After stop(): on the same port, with the same streams.
    Result<Done, QString> goOn(milliseconds limit = seconds{60});
    [[nodiscard]] int port() const { return port_; }

private:
    NatsServer();

    QTemporaryDir folder_;
    QProcess process_;
    int port_ = 0;
};

} // namespace outbox::servers
