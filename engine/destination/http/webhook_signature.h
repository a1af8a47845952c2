// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "destination/secret.h"

#include <QByteArray>
#include <QString>

#include <cstdint>

namespace outbox::destination {

/// Signs requests as Standard Webhooks 1.0 says: HMAC-SHA256 over "ID.TIMESTAMP.BODY". The receiver tells
/// by it who sent a body, that nobody changed it, and, by the timestamp, that nobody sends it anew.
class WebhookKey {
public:
    /// No key: nothing is signed.
    WebhookKey() = default;
    /// "whsec_" and the key in Base64, as Standard Webhooks hands keys out; any other text is the key itself.
    /// 24 to 64 bytes, as the specification wants. The error is a sentence that does not repeat the key.
    static Result<WebhookKey, QString> parse(const Secret &text);

    [[nodiscard]] bool isEmpty() const { return key_.isEmpty(); }
    /// The value of the header `webhook-signature`: "v1," and the signature in Base64. `unixSeconds` is what
    /// `webhook-timestamp` says, `id` what `webhook-id` says.
    [[nodiscard]] QByteArray signature(const QByteArray &id, std::int64_t unixSeconds, const QByteArray &body) const;

private:
    explicit WebhookKey(QByteArray key) : key_(std::move(key)) {}
    QByteArray key_;
};

} // namespace outbox::destination
