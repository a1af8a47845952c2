// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QList>
#include <QSslCertificate>
#include <QSslKey>
#include <QString>

namespace outbox::destination {

/// What we show to a server that asks who we are.
struct ClientCertificate {
    QList<QSslCertificate> chain; ///< ours first; empty: we show none
    QSslKey key;
};

/// Reads two PEM files: the certificate with those above it, and its private key, RSA or elliptic curve,
/// without a passphrase. The error is a sentence that names the file, never what is in it.
Result<ClientCertificate, QString> readClientCertificate(const QString &certificateFile, const QString &keyFile);

} // namespace outbox::destination
