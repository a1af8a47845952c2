// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo/demo_receiver.h"

#include <QTcpServer>
#include <QTcpSocket>

namespace outbox::demo {

const QByteArray DemoReceiver::flakyType = QByteArrayLiteral("demo.shipment.requested");
const QByteArray DemoReceiver::brokenType = QByteArrayLiteral("demo.invoice.issued");

namespace {

constexpr qsizetype generation = 100'000;
constexpr qsizetype longestRequest = 16 << 20;

QByteArray headerOf(const QByteArray &head, const QByteArray &name)
{
    for (const auto &line : head.split('\n')) {
        const auto at = line.indexOf(':');
        if (at > 0 && line.left(at).trimmed().toLower() == name)
            return line.mid(at + 1).trimmed();
    }
    return {};
}

QByteArray answerOf(int status)
{
    switch (status) {
    case 204: return QByteArrayLiteral("HTTP/1.1 204 No Content\r\n\r\n");
    case 422: return QByteArrayLiteral("HTTP/1.1 422 Unprocessable Content\r\nContent-Length: 0\r\n\r\n");
    default: return QByteArrayLiteral("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
    }
}

} // namespace

DemoReceiver::DemoReceiver(bool remember) : remember_(remember), context_(new QObject)
{
    thread_.setObjectName(QStringLiteral("demo-receiver"));
    context_->moveToThread(&thread_);
    QObject::connect(&thread_, &QThread::finished, context_, &QObject::deleteLater);
    thread_.start();
    QMetaObject::invokeMethod(
        context_, [this] { listen(); }, Qt::BlockingQueuedConnection);
}

DemoReceiver::~DemoReceiver()
{
    thread_.quit();
    thread_.wait();
}

QUrl DemoReceiver::url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1/demo").arg(port_)); }

QSet<QByteArray> DemoReceiver::accepted() const
{
    const QMutexLocker lock(&mutex_);
    return newest_ + older_;
}

void DemoReceiver::listen()
{
    server_ = new QTcpServer(context_);
    QObject::connect(server_, &QTcpServer::newConnection, context_, [this] {
        while (auto *socket = server_->nextPendingConnection()) {
            QObject::connect(socket, &QTcpSocket::readyRead, context_, [this, socket] { read(socket); });
            QObject::connect(socket, &QTcpSocket::disconnected, context_, [this, socket] {
                buffers_.remove(socket);
                socket->deleteLater();
            });
        }
    });
    if (server_->listen(QHostAddress::LocalHost))
        port_ = server_->serverPort();
}

void DemoReceiver::read(QTcpSocket *socket)
{
    auto &buffer = buffers_[socket];
    buffer += socket->readAll();
    for (;;) {
        const auto end = buffer.indexOf("\r\n\r\n");
        if (end < 0)
            break;
        const QByteArray head = buffer.left(end);
        const auto length = end + 4 + headerOf(head, "content-length").toLongLong();
        if (length < 0 || length > longestRequest) {
            socket->abort();
            return;
        }
        if (buffer.size() < length)
            break;
        buffer.remove(0, length);
        socket->write(answerOf(judge(headerOf(head, "idempotency-key"), headerOf(head, "ce-type"))));
    }
    if (buffer.size() > longestRequest)
        socket->abort();
}

int DemoReceiver::judge(const QByteArray &id, const QByteArray &type)
{
    if (!repaired_ && type == brokenType) {
        ++refused_;
        return 422;
    }
    if (!repaired_ && type == flakyType && !seenFlaky_.remove(id)) {
        seenFlaky_.insert(id);
        ++refused_;
        return 503;
    }
    isNew(id) ? ++received_ : ++duplicates_;
    return 204;
}

bool DemoReceiver::isNew(const QByteArray &id)
{
    const QMutexLocker lock(&mutex_);
    if (newest_.contains(id) || older_.contains(id))
        return false;
    if (!remember_ && newest_.size() >= generation)
        older_ = std::exchange(newest_, {});
    newest_.insert(id);
    return true;
}

} // namespace outbox::demo
