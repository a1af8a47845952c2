// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSslConfiguration>
#include <QTcpServer>
#include <QTemporaryDir>

#include <memory>
#include <optional>

namespace outbox::test {

/// A fresh certificate for "localhost" that nobody trusts unless told to, made by the openssl program.
class TestCertificate {
public:
    TestCertificate();

    /// PEM, to trust it.
    [[nodiscard]] QString file() const { return folder_.filePath(QStringLiteral("cert.pem")); }
    /// PEM, its private key.
    [[nodiscard]] QString keyFile() const { return folder_.filePath(QStringLiteral("key.pem")); }
    /// For a server that shows it.
    [[nodiscard]] QSslConfiguration server() const;

private:
    QTemporaryDir folder_;
};

/// A server that speaks TLS, or plain TCP when nothing is given.
std::unique_ptr<QTcpServer> makeListener(const std::optional<QSslConfiguration> &tls);

} // namespace outbox::test
