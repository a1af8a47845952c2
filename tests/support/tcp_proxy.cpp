// SPDX-License-Identifier: Apache-2.0
#include "support/tcp_proxy.h"

#include "support/test_certificate.h"

#include <stdexcept>

namespace outbox::test {

namespace {

/// A stalled client's data stays in the kernel, so that the client feels it.
constexpr qint64 whileStalled = 4096;

} // namespace

TcpProxy::TcpProxy(int targetPort, const std::optional<QSslConfiguration> &tls)
    : listener_(makeListener(tls)), targetPort_(targetPort)
{
    connect(listener_.get(), &QTcpServer::pendingConnectionAvailable, this, &TcpProxy::welcome);
    comeBack();
}

TcpProxy::~TcpProxy() { cut(); }

void TcpProxy::stallRequests()
{
    requestsStalled_ = true;
    for (const auto &wire : wires_)
        wire.client->setReadBufferSize(whileStalled);
}

void TcpProxy::mend()
{
    answersStalled_ = false;
    requestsStalled_ = false;
    for (const auto &wire : wires_) {
        wire.client->setReadBufferSize(0);
        forward(wire);
    }
}

void TcpProxy::sayToClients(const QByteArray &bytes)
{
    for (const auto &wire : wires_)
        wire.client->write(bytes);
}

void TcpProxy::cut()
{
    for (const auto &wire : std::exchange(wires_, {}))
        for (QTcpSocket *socket : {wire.client, wire.server}) {
            socket->disconnect(this);
            socket->abort();
            socket->deleteLater();
        }
}

void TcpProxy::goAway()
{
    listener_->close();
    cut();
}

void TcpProxy::comeBack()
{
    if (!listener_->listen(QHostAddress::LocalHost, static_cast<quint16>(port_)))
        throw std::runtime_error("no port to listen on");
    port_ = listener_->serverPort();
}

void TcpProxy::welcome()
{
    while (QTcpSocket *client = listener_->nextPendingConnection()) {
        const Wire wire{client, new QTcpSocket(this)};
        wires_.push_back(wire);
        for (QTcpSocket *socket : {wire.client, wire.server}) {
            connect(socket, &QTcpSocket::readyRead, this, [this, wire] { forward(wire); });
            connect(socket, &QTcpSocket::disconnected, this, [this, socket] { end(socket); });
        }
        connect(wire.server, &QTcpSocket::connected, this, [this, wire] { forward(wire); });
        wire.server->connectToHost(QHostAddress(QHostAddress::LocalHost), static_cast<quint16>(targetPort_));
    }
}

void TcpProxy::forward(const Wire &wire)
{
    if (wire.server->state() != QAbstractSocket::ConnectedState)
        return;
    if (!requestsStalled_)
        wire.server->write(wire.client->readAll());
    if (answersStalled_)
        return;
    const QByteArray answer = wire.server->readAll();
    wire.client->write(change_ ? change_(answer) : answer);
    if (!answer.isEmpty())
        Q_EMIT saidToClients(answer);
}

void TcpProxy::end(QTcpSocket *socket)
{
    std::erase_if(wires_, [&](const Wire &wire) {
        if (wire.client != socket && wire.server != socket)
            return false;
        for (QTcpSocket *each : {wire.client, wire.server}) {
            each->disconnect(this);
            each->disconnectFromHost(); // what is on its way still goes out
            each->deleteLater();
        }
        return true;
    });
}

} // namespace outbox::test
