// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "delivery/destination.h"

#include <QByteArray>
#include <QNetworkReply>
#include <QUrl>

#include <optional>

namespace outbox::destination {

/// What an HTTP response means: 2xx is accepted (S11); 408, 425 and 429 are busy; 5xx is a target
/// error; 3xx and every other 4xx are rejected (S13). The summary names the status and, for a redirect,
/// the host it points to; it never quotes the response.
delivery::DeliveryOutcome outcomeOfStatus(int status, const QByteArray &retryAfter, const QUrl &location,
                                          Timestamp now);

/// What it means when no response came: the connection failed, or the TLS handshake did.
delivery::DeliveryOutcome outcomeOfError(QNetworkReply::NetworkError error, const QString &tlsProblem);

/// The Retry-After header: seconds or an HTTP date, as a wait from `now`; at most a day, never negative.
/// Nothing when it cannot be read.
std::optional<milliseconds> retryAfterFrom(const QByteArray &value, Timestamp now);

} // namespace outbox::destination
