// SPDX-License-Identifier: Apache-2.0
#include "support/servers/http_receiver.h"

#include <QTcpSocket>

#include <optional>

namespace outbox::servers {

using namespace Qt::StringLiterals;

namespace {

const QByteArray answer = "HTTP/1.1 204 No Content\r\n\r\n"_ba;

/// The value of that header in a request's head; nothing when it is not there. `name` in lower case.
QByteArray header(const QByteArray &lowerHead, const QByteArray &head, const QByteArray &name)
{
    const auto at = lowerHead.indexOf("\r\n" + name + ":");
    if (at < 0) {
        return {};
    }
    const auto from = at + 3 + name.size();
    return head.mid(from, head.indexOf("\r\n", from) - from).trimmed();
}

/// One client's connection: bytes in, whole requests out.
class Conversation {
public:
    Conversation(QTcpSocket *socket, const HttpReceiver::Taken &taken) : socket_(socket), taken_(taken) {}

    void read()
    {
        buffer_ += socket_->readAll();
        QByteArray answers;
        while (const auto length = wholeRequest()) {
            buffer_.remove(0, *length);
            answers += answer;
        }
        if (!answers.isEmpty()) {
            socket_->write(answers);
        }
    }

private:
    /// The length of the request at the beginning of the buffer, which has been told of; nothing while it
    /// is not whole.
    std::optional<qsizetype> wholeRequest()
    {
        const auto end = buffer_.indexOf("\r\n\r\n");
        if (end < 0) {
            return std::nullopt;
        }
        const auto head = buffer_.left(end + 2);
        const auto lowerHead = head.toLower();
        const auto length = end + 4 + header(lowerHead, head, "content-length"_ba).toLongLong();
        if (buffer_.size() < length) {
            return std::nullopt;
        }
        taken_(header(lowerHead, head, "idempotency-key"_ba));
        return length;
    }

    QTcpSocket *socket_;
    const HttpReceiver::Taken &taken_;
    QByteArray buffer_;
};

} // namespace

HttpReceiver::HttpReceiver(Taken taken)
{
    auto *context = new QObject;
    context->moveToThread(&thread_);
    QObject::connect(&thread_, &QThread::finished, context, &QObject::deleteLater);
    thread_.setObjectName(u"http-receiver"_s);
    thread_.start();
    QMetaObject::invokeMethod(
        context,
        [this, context, taken = std::make_shared<Taken>(std::move(taken))] {
            server_ = new QTcpServer(context);
            QObject::connect(server_, &QTcpServer::newConnection, server_, [this, taken] {
                while (auto *socket = server_->nextPendingConnection()) {
                    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
                    auto conversation = std::make_shared<Conversation>(socket, *taken);
                    QObject::connect(socket, &QTcpSocket::readyRead, socket, [conversation] { conversation->read(); });
                    QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
                }
            });
            port_ = server_->listen(QHostAddress::LocalHost) ? server_->serverPort() : 0;
        },
        Qt::BlockingQueuedConnection);
}

HttpReceiver::~HttpReceiver()
{
    thread_.quit();
    thread_.wait();
}

QString HttpReceiver::url() const { return u"http://127.0.0.1:%1/in"_s.arg(port_); }

} // namespace outbox::servers
