// SPDX-License-Identifier: Apache-2.0
#include "bare_http.h"

#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QUrl>
#include <QUuid>

#include <vector>

namespace outbox::bench {

using namespace Qt::StringLiterals;

namespace {

/// Qt opens no more than six connections to one host, whatever it is asked; further requests wait inside it.
constexpr int connectionsPerManager = 6;

class BareClient : public QObject {
    Q_OBJECT
public:
    BareClient(const QString &url, int count, int concurrency, const QByteArray &body)
        : url_(url), count_(count), concurrency_(concurrency), body_(body),
          managers_(std::size_t(concurrency + connectionsPerManager - 1) / connectionsPerManager)
    {
    }

    Result<Done, QString> run()
    {
        for (int i = 0; i < concurrency_ && sent_ < count_; ++i) {
            post();
        }
        loop_.exec();
        if (!error_.isEmpty()) {
            return error_;
        }
        return Done{};
    }

private:
    void post()
    {
        ++sent_;
        const auto id = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
        QNetworkRequest request(url_);
        request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
        request.setRawHeader("Idempotency-Key"_ba, id);
        request.setRawHeader("ce-specversion"_ba, "1.0"_ba);
        request.setRawHeader("ce-id"_ba, id);
        request.setRawHeader("ce-type"_ba, "orders.placed"_ba);
        request.setRawHeader("ce-source"_ba, "/outbox"_ba);
        request.setRawHeader("ce-time"_ba, "2030-01-01T00:00:00.000000Z"_ba);
        auto *reply = managers_[std::size_t(sent_) % managers_.size()].post(request, body_);
        connect(reply, &QNetworkReply::finished, this, [this, reply] { answered(*reply); });
    }

    void answered(QNetworkReply &reply)
    {
        if (reply.error() != QNetworkReply::NoError) {
            error_ = reply.errorString();
        }
        reply.deleteLater();
        ++answered_;
        if (!error_.isEmpty() || answered_ == count_) {
            loop_.quit();
        } else if (sent_ < count_) {
            post();
        }
    }

    QUrl url_;
    int count_;
    int concurrency_;
    QByteArray body_;
    int sent_ = 0;
    int answered_ = 0;
    QString error_;
    std::vector<QNetworkAccessManager> managers_;
    QEventLoop loop_;
};

} // namespace

Result<Done, QString> postBare(const QString &url, int count, int concurrency, const QByteArray &body)
{
    BareClient client(url, count, concurrency, body);
    return client.run();
}

} // namespace outbox::bench

#include "bare_http.moc"
