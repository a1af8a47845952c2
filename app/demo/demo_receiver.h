// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QMutex>
#include <QObject>
#include <QSet>
#include <QThread>
#include <QUrl>

#include <atomic>
#include <cstdint>

class QTcpServer;
class QTcpSocket;

namespace outbox::demo {

/// A real HTTP endpoint on this machine's loopback that takes what the demo delivers. It behaves by the message's
/// type: flakyType is answered 503 the first time, brokenType 422 until repaired, everything else 204.
///
/// Runs in a thread of its own from construction to destruction; all calls from any thread.
class DemoReceiver {
public:
    static const QByteArray flakyType;
    static const QByteArray brokenType;

    /// `remember`: keep the ids of all that was accepted, for accepted().
    explicit DemoReceiver(bool remember);
    DemoReceiver(const DemoReceiver &) = delete;
    DemoReceiver &operator=(const DemoReceiver &) = delete;
    ~DemoReceiver();

    [[nodiscard]] QUrl url() const;
    /// From now on everything is accepted.
    void repair() { repaired_ = true; }

    [[nodiscard]] std::int64_t received() const { return received_; }     ///< distinct messages accepted
    [[nodiscard]] std::int64_t duplicates() const { return duplicates_; } ///< accepted once more
    [[nodiscard]] std::int64_t refused() const { return refused_; }       ///< requests answered 422 or 503
    [[nodiscard]] QSet<QByteArray> accepted() const;

private:
    void listen();
    void read(QTcpSocket *socket);
    /// The status for one request.
    int judge(const QByteArray &id, const QByteArray &type);
    bool isNew(const QByteArray &id);

    const bool remember_;
    QThread thread_;
    QObject *context_;
    QTcpServer *server_ = nullptr;
    QHash<QTcpSocket *, QByteArray> buffers_;
    quint16 port_ = 0;
    std::atomic<bool> repaired_{false};
    std::atomic<std::int64_t> received_{0};
    std::atomic<std::int64_t> duplicates_{0};
    std::atomic<std::int64_t> refused_{0};
    // Of a demo that runs for days only the newest ids are known, in two generations.
    QSet<QByteArray> newest_;
    QSet<QByteArray> older_;
    QSet<QByteArray> seenFlaky_;
    mutable QMutex mutex_;
};

} // namespace outbox::demo
