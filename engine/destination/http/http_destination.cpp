// SPDX-License-Identifier: Apache-2.0
#include "destination/http/http_destination.h"

#include "base/log.h"
#include "destination/cloudevents.h"
#include "destination/deadlines.h"
#include "destination/http/http_answer.h"
#include "destination/http/request_body.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslError>

#include <algorithm>

namespace outbox::destination {

using delivery::Delivery;
using delivery::DeliveryOutcome;
using delivery::NotTried;
using delivery::Ticket;

namespace {

/// QNetworkAccessManager opens six connections to one host, whatever it is asked; further requests queue
/// up inside it. Several managers of at most six requests each reach the configured concurrency.
constexpr int connectionsPerManager = 6;
constexpr qint64 longestBody = 64 * 1024;

QNetworkRequest baseRequest(const HttpConfig &config)
{
    QNetworkRequest request(config.url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArray(eventContentType.data()));
    request.setRawHeader("User-Agent", "outbox");
    request.setRawHeader("Accept-Encoding", "identity"); // else Qt would unpack what nobody reads
    if (!config.authorization.isEmpty())
        request.setRawHeader("Authorization", config.authorization.reveal().toUtf8());
    else if (!config.bearer.isEmpty())
        request.setRawHeader("Authorization", "Bearer " + config.bearer.reveal().toUtf8());
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    auto tls = QSslConfiguration::defaultConfiguration();
    if (!config.caFile.isEmpty())
        tls.setCaCertificates(QSslCertificate::fromPath(config.caFile));
    if (!config.clientCertificate.chain.isEmpty()) {
        tls.setLocalCertificateChain(config.clientCertificate.chain);
        tls.setPrivateKey(config.clientCertificate.key);
    }
    request.setSslConfiguration(tls);
    return request;
}

} // namespace

struct HttpDestination::Flight {
    QNetworkReply *reply = nullptr;
    std::size_t lane = 0;
    Instant end;
    qint64 bodySeen = 0;
    QString tlsProblem;
};

struct HttpDestination::Lane {
    std::unique_ptr<QNetworkAccessManager> manager;
    int inFlight = 0;
};

HttpDestination::HttpDestination(HttpConfig config, delivery::OutcomeSink &sink)
    : Destination(sink), config_(std::move(config)), base_(baseRequest(config_)), source_(config_.source.toUtf8())
{
    config_.concurrency = std::max(1, config_.concurrency);
    tick_.setInterval(deadlineTick);
    connect(&tick_, &QTimer::timeout, this, &HttpDestination::expire);
}

HttpDestination::~HttpDestination()
{
    for (auto &[ticket, flight] : flights_)
        flight.reply->disconnect(this);
}

void HttpDestination::onStart()
{
    const int wanted = (config_.concurrency + connectionsPerManager - 1) / connectionsPerManager;
    while (lanes_.size() < static_cast<std::size_t>(wanted)) {
        auto manager = std::make_unique<QNetworkAccessManager>();
        manager->setProxy(QNetworkProxy::NoProxy);
        manager->setAutoDeleteReplies(false);
        lanes_.push_back({std::move(manager), 0});
    }
}

void HttpDestination::deliver(std::vector<Delivery> deliveries)
{
    for (const auto &each : deliveries) {
        if (!isRunning())
            sink().settled(each.ticket, NotTried{QStringLiteral("shutting down")});
        else if (isDue(each.deadline.end(), clock_.now()))
            sink().settled(each.ticket, NotTried{QStringLiteral("its time was over before its turn came")});
        else {
            post(each);
            continue;
        }
        flushSoon();
    }
}

std::size_t HttpDestination::freeLane()
{
    for (std::size_t i = 0; i < lanes_.size(); ++i)
        if (lanes_[i].inFlight < connectionsPerManager)
            return i;
    return 0; // more than concurrency() at once: they queue inside Qt
}

QNetworkRequest HttpDestination::requestFor(const Message &message) const
{
    QNetworkRequest request(base_);
    for (const auto &[name, value] : eventHeaders(message, source_))
        request.setRawHeader(name, value);
    for (const auto &[name, value] : traceContext(message))
        request.setRawHeader(name, value);
    const QByteArray id = message.id.value().toByteArray(QUuid::WithoutBraces);
    request.setRawHeader("Idempotency-Key", id);
    if (!config_.signingKey.isEmpty()) {
        const auto now = std::chrono::floor<seconds>(std::chrono::system_clock::now()).time_since_epoch().count();
        request.setRawHeader("webhook-id", id);
        request.setRawHeader("webhook-timestamp", QByteArray::number(static_cast<qlonglong>(now)));
        request.setRawHeader("webhook-signature", config_.signingKey.signature(id, now, message.payload));
    }
    request.setHeader(QNetworkRequest::ContentLengthHeader, message.payload.size());
    return request;
}

void HttpDestination::post(const Delivery &delivery)
{
    const auto ticket = delivery.ticket.value();
    const std::size_t lane = freeLane();
    auto *body = new RequestBody(delivery.message.payload);
    auto *reply = lanes_[lane].manager->post(requestFor(delivery.message), body);
    body->setParent(reply);
    ++lanes_[lane].inFlight;
    const Instant end = std::min(delivery.deadline.end(), clock_.now() + config_.timeout);
    flights_.emplace(ticket, Flight{reply, lane, end, 0, {}});
    connect(reply, &QNetworkReply::finished, this, [this, ticket] { settle(ticket, false); });
    connect(reply, &QNetworkReply::readyRead, this, [this, ticket] { discardBody(ticket); });
    connect(reply, &QNetworkReply::sslErrors, this, [this, ticket](const QList<QSslError> &errors) {
        if (const auto flight = flights_.find(ticket); flight != flights_.end() && !errors.isEmpty())
            flight->second.tlsProblem = errors.first().errorString();
    });
    if (!tick_.isActive())
        tick_.start();
}

void HttpDestination::discardBody(std::uint64_t ticket)
{
    const auto flight = flights_.find(ticket);
    if (flight == flights_.end())
        return;
    flight->second.bodySeen += flight->second.reply->skip(flight->second.reply->bytesAvailable());
    if (flight->second.bodySeen > longestBody)
        settle(ticket, true);
}

void HttpDestination::expire()
{
    const auto now = clock_.now();
    std::vector<std::uint64_t> due;
    for (const auto &[ticket, flight] : flights_)
        if (isDue(flight.end, now))
            due.push_back(ticket);
    for (const auto ticket : due)
        settle(ticket, true);
}

void HttpDestination::settle(std::uint64_t ticket, bool abort)
{
    const auto found = flights_.find(ticket);
    if (found == flights_.end())
        return;
    const Flight flight = std::move(found->second);
    flights_.erase(found);
    --lanes_[flight.lane].inFlight;
    QNetworkReply *reply = flight.reply;
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QUrl location = QUrl::fromEncoded(reply->rawHeader("Location"));
    const auto now = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
    DeliveryOutcome outcome =
        status != 0 ? outcomeOfStatus(status, reply->rawHeader("Retry-After"), location, now)
                    : outcomeOfError(abort ? QNetworkReply::TimeoutError : reply->error(), flight.tlsProblem);
    reply->disconnect(this);
    if (abort)
        reply->abort();
    reply->deleteLater();
    sink().settled(Ticket(ticket), std::move(outcome));
    flushSoon();
    endIfIdle();
}

void HttpDestination::flushSoon()
{
    if (std::exchange(flushing_, true))
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            flushing_ = false;
            sink().flush();
        },
        Qt::QueuedConnection);
}

void HttpDestination::onStop() { endIfIdle(); }

void HttpDestination::endIfIdle()
{
    if (!flights_.empty())
        return;
    tick_.stop();
    if (isStopping()) {
        sink().flush();
        finishStop();
    }
}

} // namespace outbox::destination
