// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "destination/http/client_certificate.h"
#include "destination/http/webhook_signature.h"
#include "destination/secret.h"

#include <QString>
#include <QUrl>

namespace outbox::destination {

/// One HTTP endpoint.
struct HttpConfig {
    QUrl url;                                   ///< absolute, http or https, without user or password
    milliseconds timeout{10000};                ///< for one request, from sending to the response's status line
    int concurrency = 16;                       ///< requests in flight, each on a connection of its own
    QString source = QStringLiteral("/outbox"); ///< the CloudEvents source: a URI reference
    Secret authorization;                       ///< the whole value of the Authorization header; empty: none is sent
    Secret bearer;         ///< the token of "Authorization: Bearer ..."; empty: none; not beside `authorization`
    WebhookKey signingKey; ///< signs every request; empty: none is signed
    QString caFile;        ///< PEM file of the only trusted roots; empty: the system's
    ClientCertificate clientCertificate; ///< for servers that want to know who we are
};

} // namespace outbox::destination
