// SPDX-License-Identifier: Apache-2.0
#include "support/test_certificate.h"

#include <QFile>
#include <QProcess>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslServer>

#include <stdexcept>

namespace outbox::test {

TestCertificate::TestCertificate()
{
    QProcess openssl;
    openssl.setWorkingDirectory(folder_.path());
    const auto arguments = QStringLiteral("req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 "
                                          "-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1");
    openssl.start(QStringLiteral("openssl"), arguments.split(u' '));
    if (!openssl.waitForFinished() || openssl.exitCode() != 0)
        throw std::runtime_error("openssl made no certificate: " + openssl.readAllStandardError().toStdString());
}

QSslConfiguration TestCertificate::server() const
{
    QFile key(folder_.filePath(QStringLiteral("key.pem")));
    if (!key.open(QIODevice::ReadOnly))
        throw std::runtime_error("the key is gone");
    auto configuration = QSslConfiguration::defaultConfiguration();
    configuration.setLocalCertificateChain(QSslCertificate::fromPath(file()));
    configuration.setPrivateKey(QSslKey(&key, QSsl::Rsa));
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    return configuration;
}

std::unique_ptr<QTcpServer> makeListener(const std::optional<QSslConfiguration> &tls)
{
    if (!tls)
        return std::make_unique<QTcpServer>();
    auto server = std::make_unique<QSslServer>();
    server->setSslConfiguration(*tls);
    return server;
}

} // namespace outbox::test
