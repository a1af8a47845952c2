// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/servers/rabbit_node.h"

#include <QByteArray>
#include <QString>

#include <amqp.h>

#include <map>
#include <memory>
#include <vector>

namespace outbox::contract {

/// A real RabbitMQ, looked at from behind: queues are made, counted and emptied here. The one named by
/// OUTBOX_TEST_AMQP (with its password), else a private one that ends with the program. One thread;
/// calls block; what goes wrong throws std::runtime_error.
class Broker {
public:
    /// A message as it lies in a queue.
    struct Item {
        QByteArray body;
        QByteArray messageId;
        QByteArray type;
        QByteArray contentType;
        int deliveryMode = 0;
        std::uint64_t timestamp = 0;
        bool allProperties = false; ///< each of the five above was there
        std::map<QByteArray, QByteArray> headers;
    };

    static Broker &shared();
    Broker(const Broker &) = delete;
    Broker &operator=(const Broker &) = delete;
    ~Broker();

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] QString user() const { return user_; }
    [[nodiscard]] QString password() const { return password_; }

    /// A queue that refuses (nacks) everything when it is `full`.
    void makeQueue(const QByteArray &name, bool full = false);
    void deleteQueue(const QByteArray &name);
    /// A fanout exchange that leads to that queue.
    void makeExchange(const QByteArray &name, const QByteArray &queue);
    void deleteExchange(const QByteArray &name);
    [[nodiscard]] int depth(const QByteArray &queue);
    [[nodiscard]] std::vector<Item> takeAll(const QByteArray &queue);

private:
    Broker();
    void check(const char *what);
    Item read();

    std::unique_ptr<servers::RabbitNode> node_;
    int port_ = 0;
    QString user_ = QStringLiteral("guest");
    QString password_ = QStringLiteral("guest");
    amqp_connection_state_t connection_ = nullptr;
};

} // namespace outbox::contract
