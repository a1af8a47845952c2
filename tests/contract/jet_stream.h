// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/target.h"
#include "destination/nats/nats_destination.h"
#include "support/servers/nats_server.h"
#include "support/tcp_proxy.h"

#include <QUuid>

#include <nats/nats.h>

#include <map>

namespace outbox::contract {

/// The server of this program, looked at from behind: streams are made, counted and read here. One thread;
/// calls block; what goes wrong throws std::runtime_error.
class JetStreamServer {
public:
    /// A message as it lies in a stream.
    struct Item {
        QByteArray subject;
        QByteArray body;
        std::map<QByteArray, QByteArray> headers;
    };

    static JetStreamServer &shared();
    JetStreamServer(const JetStreamServer &) = delete;
    JetStreamServer &operator=(const JetStreamServer &) = delete;
    ~JetStreamServer();

    [[nodiscard]] int port() const { return server_->port(); }
    /// A stream of that name takes that subject; one that is `full` refuses everything.
    void makeStream(const QByteArray &name, bool full = false, int largestMessage = -1);
    void deleteStream(const QByteArray &name);
    [[nodiscard]] int depth(const QByteArray &name);
    [[nodiscard]] std::vector<Item> readAll(const QByteArray &name);

private:
    JetStreamServer();

    std::unique_ptr<servers::NatsServer> server_;
    natsConnection *connection_ = nullptr;
    jsCtx *context_ = nullptr;
};

/// The shared server on that port, with short waits.
destination::NatsConfig natsConfigFor(int port, const QString &subject);

/// The other side is a stream of a real server, behind a wire that can be stalled and cut.
class Stream final : public Target {
public:
    Stream() { server.makeStream(name); }
    ~Stream() override;

    std::unique_ptr<delivery::Destination> make(delivery::OutcomeSink &sink) override;
    bool isReady() override { return up_; }
    bool dropsRepeats() const override { return true; }
    void become(Mood mood) override;
    int held() override { return server.depth(name); }
    void letGo() override { wire.mend(); }
    void cut() override { wire.cut(); }
    std::vector<Received> take() override;

    const QByteArray name = "contract-" + QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    JetStreamServer &server = JetStreamServer::shared();
    test::TcpProxy wire{server.port()};

private:
    Mood mood_ = Mood::accept;
    bool up_ = false;
};

} // namespace outbox::contract
