// SPDX-License-Identifier: Apache-2.0
#include "support/scripted_http.h"

#include "base/result.h"
#include "support/test_certificate.h"

#include <stdexcept>

#include <sys/socket.h>

namespace outbox::test {

ScriptedHttp::ScriptedHttp(Script script, const std::optional<QSslConfiguration> &tls)
    : server_(makeListener(tls)), script_(std::move(script))
{
    connect(server_.get(), &QTcpServer::pendingConnectionAvailable, this, &ScriptedHttp::welcome);
    comeBack();
}

ScriptedHttp::~ScriptedHttp()
{
    for (const auto &[socket, peer] : peers_)
        socket->disconnect(this);
}

QString ScriptedHttp::url(const QString &path) const
{
    return QStringLiteral("http://127.0.0.1:%1%2").arg(port_).arg(path);
}

ScriptedHttp::Answer ScriptedHttp::status(int code, const QByteArray &headers, const QByteArray &body)
{
    return {"HTTP/1.1 " + QByteArray::number(code) + " Said\r\nContent-Length: " + QByteArray::number(body.size()) +
            "\r\n" + headers + "\r\n" + body};
}

void ScriptedHttp::letGo(const Answer &answer)
{
    for (const auto &socket : std::exchange(held_, {}))
        if (socket)
            socket->write(answer.bytes);
}

void ScriptedHttp::cut()
{
    held_.clear();
    for (const auto &[socket, peer] : std::exchange(peers_, {})) {
        socket->disconnect(this);
        const linger atOnce{1, 0};
        setsockopt(static_cast<int>(socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
        socket->abort();
        socket->deleteLater();
    }
}

void ScriptedHttp::goAway()
{
    server_->close();
    cut();
}

void ScriptedHttp::comeBack()
{
    if (!server_->listen(QHostAddress::LocalHost, static_cast<quint16>(port_)))
        throw std::runtime_error("no port to listen on");
    port_ = server_->serverPort();
}

void ScriptedHttp::welcome()
{
    while (QTcpSocket *socket = server_->nextPendingConnection()) {
        peers_[socket].number = ++connections_;
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            peers_.erase(socket);
            socket->deleteLater();
        });
        read(socket); // with TLS something may have come before
    }
}

void ScriptedHttp::read(QTcpSocket *socket)
{
    peers_[socket].buffer += socket->readAll();
    for (;;) {
        const auto peer = peers_.find(socket);
        if (peer == peers_.end() || !takeRequest(socket, peer->second))
            return;
    }
}

bool ScriptedHttp::takeRequest(QTcpSocket *socket, Peer &peer)
{
    const auto end = peer.buffer.indexOf("\r\n\r\n");
    if (end < 0)
        return false;
    Request request;
    const auto lines = peer.buffer.left(end).split('\n');
    const auto first = lines.first().trimmed().split(' ');
    request.method = first.value(0);
    request.target = first.value(1);
    request.connection = peer.number;
    for (const auto &line : lines.mid(1)) {
        const auto colon = line.indexOf(':');
        request.headers[line.left(colon).trimmed().toLower()] = line.mid(colon + 1).trimmed();
    }
    const auto length = request.headers["content-length"].toLongLong();
    if (peer.buffer.size() < end + 4 + length)
        return false;
    request.body = peer.buffer.mid(end + 4, length);
    peer.buffer.remove(0, end + 4 + length);
    requests_.push_back(request);
    react(socket, request);
    return true;
}

void ScriptedHttp::react(QTcpSocket *socket, const Request &request)
{
    const Reaction reaction = script_ ? script_(request) : Reaction(status(204));
    std::visit(overload{[&](const Answer &answer) { socket->write(answer.bytes); },
                        [&](const Hold &) { held_.emplace_back(socket); },
                        [&](const Hangup &hangup) {
                            if (!hangup.reset) {
                                socket->disconnectFromHost();
                                return;
                            }
                            const linger atOnce{1, 0};
                            setsockopt(static_cast<int>(socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &atOnce,
                                       sizeof atOnce);
                            socket->abort();
                        }},
               reaction);
}

} // namespace outbox::test
