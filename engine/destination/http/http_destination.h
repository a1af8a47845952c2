// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"
#include "destination/http/http_config.h"

#include <QNetworkReply>
#include <QNetworkRequest>
#include <QTimer>

#include <memory>
#include <unordered_map>

class QNetworkAccessManager;

namespace outbox::destination {

/// Delivers by HTTP(S) POST (S11): the payload as it is, the CloudEvents 1.0 attributes as `ce-` headers
/// (binary content mode), the trace context, and `Idempotency-Key` = message id (S10). HTTP/1.1, no cookies, no cache,
/// no proxy (neither the system's nor the environment's: a delivery goes where the settings say), redirects refused.
/// What an answer means: see http_answer.h.
///
/// Who we are it says by an Authorization header, by a client certificate, or by a signature over id, time and
/// body in the layout of Standard Webhooks (webhook_signature.h), a fresh one for each attempt.
///
/// A request ends at the earlier of the configured timeout and its deadline. It is sent once: what the
/// server closes unanswered is Failed{unreachable}. The status line decides; the response's body is
/// thrown away as it comes, and a long one costs the connection, not memory.
class HttpDestination final : public delivery::Destination {
    Q_OBJECT
public:
    HttpDestination(HttpConfig config, delivery::OutcomeSink &sink);
    ~HttpDestination() override;

    [[nodiscard]] int concurrency() const override { return config_.concurrency; }
    void deliver(std::vector<delivery::Delivery> deliveries) override;

protected:
    void onStart() override;
    /// Unanswered requests go on until their deadlines.
    void onStop() override;

private:
    struct Flight;
    struct Lane;

    void post(const delivery::Delivery &delivery);
    [[nodiscard]] QNetworkRequest requestFor(const Message &message) const;
    [[nodiscard]] std::size_t freeLane();
    void discardBody(std::uint64_t ticket);
    void expire();
    void settle(std::uint64_t ticket, bool abort);
    void flushSoon();
    void endIfIdle();

    HttpConfig config_;
    QNetworkRequest base_;
    QByteArray source_;
    SteadyClock clock_;
    std::vector<Lane> lanes_;
    std::unordered_map<std::uint64_t, Flight> flights_;
    QTimer tick_;
    bool flushing_ = false;
};

} // namespace outbox::destination
