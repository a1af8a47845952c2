// SPDX-License-Identifier: Apache-2.0
#include "destination/http/webhook_signature.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>

namespace outbox::destination {

Result<WebhookKey, QString> WebhookKey::parse(const Secret &text)
{
    constexpr qsizetype shortest = 24;
    constexpr qsizetype longest = 64;
    const QByteArray prefix = "whsec_";
    QByteArray key = text.reveal().toUtf8();
    if (key.startsWith(prefix)) {
        auto decoded = QByteArray::fromBase64Encoding(key.mid(prefix.size()), QByteArray::AbortOnBase64DecodingErrors);
        if (!decoded)
            return QStringLiteral("expected Base64 behind 'whsec_'");
        key = std::move(*decoded);
    }
    if (key.size() < shortest || key.size() > longest)
        return QStringLiteral("expected a key of %1 to %2 bytes").arg(shortest).arg(longest);
    return WebhookKey(std::move(key));
}

QByteArray WebhookKey::signature(const QByteArray &id, std::int64_t unixSeconds, const QByteArray &body) const
{
    QMessageAuthenticationCode code(QCryptographicHash::Sha256, key_);
    code.addData(id + '.' + QByteArray::number(static_cast<qlonglong>(unixSeconds)) + '.');
    code.addData(body);
    return "v1," + code.result().toBase64();
}

} // namespace outbox::destination
