// SPDX-License-Identifier: Apache-2.0
#include "destination/http/client_certificate.h"

#include <QFile>

namespace outbox::destination {

namespace {

QSslKey keyFrom(const QByteArray &pem)
{
    for (const auto algorithm : {QSsl::Rsa, QSsl::Ec})
        if (QSslKey key(pem, algorithm); !key.isNull())
            return key;
    return {};
}

} // namespace

Result<ClientCertificate, QString> readClientCertificate(const QString &certificateFile, const QString &keyFile)
{
    ClientCertificate read;
    read.chain = QSslCertificate::fromPath(certificateFile, QSsl::Pem, QSslCertificate::PatternSyntax::FixedString);
    if (read.chain.isEmpty())
        return QStringLiteral("no PEM certificate in %1").arg(certificateFile);
    QFile file(keyFile);
    if (file.open(QIODevice::ReadOnly))
        read.key = keyFrom(file.read(1024 * 1024));
    if (read.key.isNull())
        return QStringLiteral("no private key (PEM, RSA or elliptic curve, no passphrase) in %1").arg(keyFile);
    return read;
}

} // namespace outbox::destination
