// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QMap>
#include <QString>

namespace outbox::destination {

/// Where a broker listens and who we are there, as a URL says it.
struct BrokerUrl {
    QString scheme;
    QString host;
    int port = 0;
    QString user; ///< empty: not said
    QString path; ///< what follows the host, percent-encoded; empty or with its "/"
};

/// Takes "scheme://user@host:port/path", everything after the host optional. `ports` are the schemes that
/// may be, with their default ports; `form` is how such a URL looks, for the error. A password in it is
/// refused: secrets come separately. The error is a sentence that never repeats a password.
Result<BrokerUrl, QString> parseBrokerUrl(const QString &text, const QMap<QString, int> &ports, const QString &form);

} // namespace outbox::destination
