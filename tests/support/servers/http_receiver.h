// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QTcpServer>
#include <QThread>

#include <functional>
#include <memory>

namespace outbox::servers {

/// A plain and fast HTTP/1.1 endpoint on 127.0.0.1: keeps connections alive, takes every POST, answers 204.
/// It runs in a thread of its own; the constructor returns when it listens.
class HttpReceiver {
public:
    /// Called in the receiver's thread, before the answer goes out, with the request's Idempotency-Key.
    using Taken = std::function<void(const QByteArray &id)>;

    explicit HttpReceiver(Taken taken);
    HttpReceiver(const HttpReceiver &) = delete;
    HttpReceiver &operator=(const HttpReceiver &) = delete;
    ~HttpReceiver();

    [[nodiscard]] int port() const { return port_; }
    /// http://127.0.0.1:PORT/in
    [[nodiscard]] QString url() const;

private:
    QThread thread_;
    QTcpServer *server_ = nullptr;
    int port_ = 0;
};

} // namespace outbox::servers
