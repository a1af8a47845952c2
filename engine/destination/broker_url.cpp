// SPDX-License-Identifier: Apache-2.0
#include "destination/broker_url.h"

#include <QStringList>
#include <QUrl>

namespace outbox::destination {

Result<BrokerUrl, QString> parseBrokerUrl(const QString &text, const QMap<QString, int> &ports, const QString &form)
{
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid())
        return QStringLiteral("not a URL; expected ") + form;
    if (!ports.contains(url.scheme()))
        return QStringLiteral("expected the scheme %1, not '%2'")
            .arg(QStringList(ports.keys()).join(QStringLiteral(" or ")), url.scheme());
    if (!url.password().isEmpty())
        return QStringLiteral(
            "a password in clear is refused; give it as 'password: {env: NAME}', '{file: PATH}' or '{keychain: NAME}'");
    if (url.host().isEmpty())
        return QStringLiteral("the host is missing; expected ") + form;
    if (url.hasQuery() || url.hasFragment())
        return QStringLiteral("expected no '?' or '#' part");
    return BrokerUrl{url.scheme(), url.host(), url.port(ports.value(url.scheme())), url.userName(QUrl::FullyDecoded),
                     url.path(QUrl::FullyEncoded)};
}

} // namespace outbox::destination
