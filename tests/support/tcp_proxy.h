// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSslConfiguration>
#include <QTcpServer>
#include <QTcpSocket>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace outbox::test {

/// A wire between a client and a real server on 127.0.0.1 that can be cut, stalled and mended. It lives in
/// the caller's thread and works while that thread's event loop runs.
class TcpProxy : public QObject {
    Q_OBJECT
public:
    /// Clients speak TLS to it when it is given a certificate; the server always gets plain TCP.
    explicit TcpProxy(int targetPort, const std::optional<QSslConfiguration> &tls = std::nullopt);
    ~TcpProxy() override;

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] int connections() const { return static_cast<int>(wires_.size()); }
    /// What the server says reaches no client until mended.
    void stallAnswers() { answersStalled_ = true; }
    /// What clients say is not even read, so that their sends fill up.
    void stallRequests();
    void mend();
    /// What the server says is passed through this, piece by piece.
    void changeAnswers(std::function<QByteArray(const QByteArray &)> change) { change_ = std::move(change); }
    /// Puts these bytes into the server's mouth, to every client, between what it says itself.
    void sayToClients(const QByteArray &bytes);
    /// Ends every connection; new ones are fine.
    void cut();
    /// Nobody gets through: connections end, new ones are refused. comeBack() ends that.
    void goAway();
    void comeBack();

Q_SIGNALS:
    /// What the server said and clients got, in pieces.
    void saidToClients(const QByteArray &bytes);

private:
    struct Wire {
        QTcpSocket *client = nullptr;
        QTcpSocket *server = nullptr;
    };
    void welcome();
    void forward(const Wire &wire);
    void end(QTcpSocket *socket);

    std::unique_ptr<QTcpServer> listener_;
    int targetPort_;
    int port_ = 0;
    bool answersStalled_ = false;
    bool requestsStalled_ = false;
    std::vector<Wire> wires_;
    std::function<QByteArray(const QByteArray &)> change_;
};

} // namespace outbox::test
