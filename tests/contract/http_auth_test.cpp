// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "contract/suite.h"
#include "destination/http/http_destination.h"
#include "support/scripted_http.h"
#include "support/test_certificate.h"

#include <QMessageAuthenticationCode>
#include <QtTest>

using namespace outbox;
using namespace outbox::contract;
using destination::HttpConfig;
using destination::HttpDestination;
using destination::WebhookKey;
using test::ScriptedHttp;

namespace {

constexpr int generous = 30000;

} // namespace

/// How an HTTP destination says who it is.
class HttpAuthTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup();
    void sendsABearerToken();
    void signsEachRequest();
    void showsItsCertificate();
    void aSecretIsNeverTold();

private:
    void use(const HttpConfig &config);
    /// What becomes of one message.
    QString deliver();
    QString answeredWith(const ScriptedHttp::Reaction &reaction);

    std::unique_ptr<ScriptedHttp> made_ = std::make_unique<ScriptedHttp>();
    Outcomes outcomes_;
    std::unique_ptr<HttpDestination> destination_;
    std::uint64_t nextTicket_ = 1;
};

void HttpAuthTest::cleanup()
{
    destination_.reset();
    made_ = std::make_unique<ScriptedHttp>();
}

void HttpAuthTest::use(const HttpConfig &config)
{
    destination_ = std::make_unique<HttpDestination>(config, outcomes_);
    destination_->start();
}

QString HttpAuthTest::deliver()
{
    const auto ticket = nextTicket_++;
    std::vector<delivery::Delivery> one;
    one.push_back({delivery::Ticket(ticket), message(1), 1, Deadline::in(seconds{60}, SteadyClock())});
    destination_->deliver(std::move(one));
    if (!QTest::qWaitFor([&] { return outcomes_.of(ticket) != nullptr; }, generous))
        qWarning("no outcome");
    return outcomes_.text(ticket);
}

QString HttpAuthTest::answeredWith(const ScriptedHttp::Reaction &reaction)
{
    made_->setScript([reaction](const ScriptedHttp::Request &) { return reaction; });
    return deliver();
}

void HttpAuthTest::sendsABearerToken()
{
    HttpConfig config;
    config.url = QUrl(made_->url());
    config.bearer = destination::Secret(QStringLiteral("t0ken"));
    use(config);
    QCOMPARE(answeredWith(ScriptedHttp::status(200)), QStringLiteral("accepted"));
    auto request = made_->requests().front();
    QCOMPARE(request.headers["authorization"], QByteArray("Bearer t0ken"));
    QVERIFY(!request.headers.contains("webhook-signature"));
}

// As a receiver checks it: from the very bytes that came, with the key that both know.
void HttpAuthTest::signsEachRequest()
{
    const QByteArray key = "0123456789abcdef0123456789abcdef";
    HttpConfig config;
    config.url = QUrl(made_->url());
    config.signingKey = WebhookKey::parse(destination::Secret(QString::fromUtf8("whsec_" + key.toBase64()))).value();
    use(config);
    const auto from = QDateTime::currentSecsSinceEpoch();
    for (int i = 0; i < 2; ++i)
        QCOMPARE(answeredWith(ScriptedHttp::status(200)), QStringLiteral("accepted"));
    for (auto request : made_->requests()) {
        const QByteArray id = request.headers["webhook-id"];
        const QByteArray time = request.headers["webhook-timestamp"];
        QCOMPARE(id, request.headers["ce-id"]);
        QVERIFY(time.toLongLong() >= from && time.toLongLong() <= QDateTime::currentSecsSinceEpoch());
        const auto expected =
            QMessageAuthenticationCode::hash(id + "." + time + "." + request.body, key, QCryptographicHash::Sha256);
        QCOMPARE(request.headers["webhook-signature"], "v1," + expected.toBase64());
        QVERIFY(!request.headers.contains("authorization"));
    }
}

// A server that asks for a certificate gets ours, and nobody gets in without one.
void HttpAuthTest::showsItsCertificate()
{
    const test::TestCertificate servers;
    const test::TestCertificate ours;
    auto tls = servers.server();
    tls.setPeerVerifyMode(QSslSocket::VerifyPeer);
    tls.setCaCertificates(QSslCertificate::fromPath(ours.file()));
    ScriptedHttp secure({}, tls);
    HttpConfig config;
    config.url = QUrl(QStringLiteral("https://localhost:%1/in").arg(secure.port()));
    config.caFile = servers.file();
    use(config);
    const QString nameless = deliver();
    QVERIFY2(nameless.startsWith(QStringLiteral("unreachable: ")), qPrintable(nameless));
    QCOMPARE(secure.requests().size(), std::size_t{0});
    config.clientCertificate = destination::readClientCertificate(ours.file(), ours.keyFile()).value();
    use(config);
    QCOMPARE(deliver(), QStringLiteral("accepted"));
}

// Whatever the server answers, and even when it sends our own words back.
void HttpAuthTest::aSecretIsNeverTold()
{
    QStringList told;
    log::Listener listener;
    connect(&listener, &log::Listener::written, this, [&](const log::Line &line) { told << line.text; });
    HttpConfig config;
    config.url = QUrl(made_->url());
    config.bearer = destination::Secret(QStringLiteral("hush-token"));
    config.signingKey = WebhookKey::parse(destination::Secret(QStringLiteral("hush-key-of-many-many-bytes"))).value();
    use(config);
    const QByteArray back = "Bearer hush-token hush-key-of-many-many-bytes";
    for (const auto &answer : {ScriptedHttp::status(401, "WWW-Authenticate: " + back + "\r\n", back),
                               ScriptedHttp::status(302, "Location: http://hush-token@127.0.0.1/hush-key\r\n", back),
                               ScriptedHttp::status(500, {}, back), ScriptedHttp::Answer{back + "\r\n\r\n"}})
        told << answeredWith(answer);
    told << answeredWith(ScriptedHttp::Hangup{});
    QCOMPARE(made_->requests().size(), std::size_t{5});
    QVERIFY2(!told.join(u'\n').contains(QStringLiteral("hush")), qPrintable(told.join(u'\n')));
}

QTEST_GUILESS_MAIN(HttpAuthTest)
#include "http_auth_test.moc"
