// SPDX-License-Identifier: Apache-2.0
#include "destination/http/http_answer.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>

namespace outbox::destination {

using delivery::Accepted;
using delivery::DeliveryOutcome;
using delivery::Failed;

namespace {

constexpr milliseconds longestWish = std::chrono::hours{24};

/// IMF-fixdate, and the two obsolete forms that a recipient must still accept.
std::optional<QDateTime> httpDate(const QString &text)
{
    const std::array formats{QStringLiteral("ddd, dd MMM yyyy HH:mm:ss 'GMT'"),
                             QStringLiteral("dddd, dd-MMM-yy HH:mm:ss 'GMT'"),
                             QStringLiteral("ddd MMM d HH:mm:ss yyyy")};
    for (const auto &format : formats) {
        QDateTime date = QLocale::c().toDateTime(text.simplified(), format);
        if (!date.isValid())
            continue;
        date.setTimeSpec(Qt::UTC);
        return date.date().year() < 1970 ? date.addYears(100) : date;
    }
    return std::nullopt;
}

DeliveryOutcome failed(FailureCause cause, const QString &summary,
                       std::optional<milliseconds> retryAfter = std::nullopt)
{
    return Failed{{cause, summary, retryAfter}};
}

} // namespace

std::optional<milliseconds> retryAfterFrom(const QByteArray &value, Timestamp now)
{
    const QByteArray text = value.trimmed();
    if (text.isEmpty())
        return std::nullopt;
    if (std::ranges::all_of(text, [](char each) { return each >= '0' && each <= '9'; })) {
        bool fits = false;
        const auto wish = text.toLongLong(&fits);
        return fits && wish < 86400 ? milliseconds{seconds{wish}} : longestWish;
    }
    const auto date = httpDate(QString::fromLatin1(text));
    if (!date)
        return std::nullopt;
    const auto then = Timestamp{milliseconds{date->toMSecsSinceEpoch()}};
    return std::clamp(std::chrono::ceil<milliseconds>(then - now), milliseconds{0}, longestWish);
}

DeliveryOutcome outcomeOfStatus(int status, const QByteArray &retryAfter, const QUrl &location, Timestamp now)
{
    const QString answered = QStringLiteral("HTTP status %1").arg(status);
    if (status >= 200 && status < 300)
        return Accepted{};
    if (status == 408 || status == 425 || status == 429)
        return failed(FailureCause::busy, answered, retryAfterFrom(retryAfter, now));
    if (status >= 500)
        return failed(FailureCause::target_error, answered, retryAfterFrom(retryAfter, now));
    if (status >= 300 && status < 400) {
        const QString host = location.host();
        return failed(FailureCause::rejected,
                      host.isEmpty() ? answered + QStringLiteral(": redirects are refused")
                                     : answered + QStringLiteral(": redirect to host %1 refused").arg(host.left(253)));
    }
    if (status >= 400)
        return failed(FailureCause::rejected, answered);
    return failed(FailureCause::target_error, answered + QStringLiteral(" is no final answer"));
}

DeliveryOutcome outcomeOfError(QNetworkReply::NetworkError error, const QString &tlsProblem)
{
    switch (error) {
    case QNetworkReply::ConnectionRefusedError:
        return failed(FailureCause::unreachable, QStringLiteral("connection refused"));
    case QNetworkReply::HostNotFoundError:
        return failed(FailureCause::unreachable, QStringLiteral("host name not found"));
    case QNetworkReply::SslHandshakeFailedError:
        return failed(FailureCause::unreachable,
                      tlsProblem.isEmpty() ? QStringLiteral("TLS handshake failed")
                                           : QStringLiteral("TLS handshake failed: %1").arg(tlsProblem.left(400)));
    case QNetworkReply::RemoteHostClosedError:
    case QNetworkReply::ContentReSendError: // it closed before it answered, and we do not send twice
        return failed(FailureCause::unreachable, QStringLiteral("connection closed before an answer came"));
    case QNetworkReply::TimeoutError:
    case QNetworkReply::OperationCanceledError:
        return failed(FailureCause::timeout, QStringLiteral("no answer in time"));
    case QNetworkReply::ProtocolFailure:
    case QNetworkReply::UnknownServerError:
    case QNetworkReply::UnknownContentError:
        return failed(FailureCause::target_error, QStringLiteral("the answer is not HTTP"));
    default: return failed(FailureCause::unreachable, QStringLiteral("network error %1").arg(int{error}));
    }
}

} // namespace outbox::destination
