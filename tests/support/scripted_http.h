// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QPointer>
#include <QSslConfiguration>
#include <QString>
#include <QTcpServer>
#include <QTcpSocket>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace outbox::test {

/// A real HTTP/1.1 server on 127.0.0.1 that misbehaves as it is told. It lives in the caller's thread and
/// works while that thread's event loop runs.
class ScriptedHttp : public QObject {
    Q_OBJECT
public:
    struct Request {
        QByteArray method;
        QByteArray target;
        std::map<QByteArray, QByteArray> headers; ///< names in lower case
        QByteArray body;
        int connection = 0; ///< the number of the connection it came on, from 1
    };
    /// The bytes of a whole response, kept connection.
    struct Answer {
        QByteArray bytes;
    };
    /// Answered later by letGo(), or never.
    struct Hold {};
    /// Closed without a word; politely, or by a reset.
    struct Hangup {
        bool reset = false;
    };
    using Reaction = std::variant<Answer, Hold, Hangup>;
    using Script = std::function<Reaction(const Request &)>;

    /// Listens on a port of its own; with TLS when it is given a certificate.
    explicit ScriptedHttp(Script script = {}, const std::optional<QSslConfiguration> &tls = std::nullopt);
    ~ScriptedHttp() override;

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] QString url(const QString &path = QStringLiteral("/in")) const;
    void setScript(Script script) { script_ = std::move(script); }
    /// A response of this status with these header lines (each ending in CRLF) and body.
    static Answer status(int code, const QByteArray &headers = {}, const QByteArray &body = {});

    [[nodiscard]] const std::vector<Request> &requests() const { return requests_; }
    [[nodiscard]] int held() const { return static_cast<int>(held_.size()); }
    [[nodiscard]] int connections() const { return connections_; }
    /// Answers what is held.
    void letGo(const Answer &answer);
    /// Resets every connection.
    void cut();
    /// Stops listening and resets every connection; listens again on the same port.
    void goAway();
    void comeBack();

private:
    struct Peer {
        QByteArray buffer;
        int number = 0;
    };
    void welcome();
    void read(QTcpSocket *socket);
    bool takeRequest(QTcpSocket *socket, Peer &peer);
    void react(QTcpSocket *socket, const Request &request);

    std::unique_ptr<QTcpServer> server_;
    int port_ = 0;
    int connections_ = 0;
    Script script_;
    std::map<QTcpSocket *, Peer> peers_;
    std::vector<QPointer<QTcpSocket>> held_;
    std::vector<Request> requests_;
};

} // namespace outbox::test
