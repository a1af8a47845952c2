// SPDX-License-Identifier: Apache-2.0
#include "contract/suite.h"
#include "destination/http/http_destination.h"
#include "support/scripted_http.h"
#include "support/test_certificate.h"

#include <QtTest>

using namespace outbox;
using namespace outbox::contract;
using destination::HttpConfig;
using destination::HttpDestination;
using test::ScriptedHttp;

namespace {

constexpr int generous = 30000;

/// The other side is a real HTTP server on a socket.
class Endpoint final : public Target {
public:
    Endpoint() { become(Mood::accept); }
    std::unique_ptr<delivery::Destination> make(delivery::OutcomeSink &sink) override
    {
        HttpConfig config;
        config.url = QUrl(server.url());
        config.timeout = seconds{60};
        config.concurrency = 20;
        return std::make_unique<HttpDestination>(config, sink);
    }
    void become(Mood mood) override
    {
        if (std::exchange(mood_, mood) == Mood::unreachable)
            server.comeBack();
        if (mood == Mood::unreachable)
            server.goAway();
        server.setScript([this](const ScriptedHttp::Request &request) -> ScriptedHttp::Reaction {
            switch (mood_) {
            case Mood::reject: return ScriptedHttp::status(422, {}, request.body);
            case Mood::busy: return ScriptedHttp::status(429);
            case Mood::hold: return ScriptedHttp::Hold{};
            case Mood::accept:
            case Mood::unreachable: break;
            }
            return ScriptedHttp::status(202);
        });
    }
    int held() override { return server.held(); }
    void letGo() override
    {
        become(Mood::accept);
        server.letGo(ScriptedHttp::status(202));
    }
    void cut() override { server.cut(); }
    std::vector<Received> take() override
    {
        std::vector<Received> received;
        for (; taken_ < server.requests().size(); ++taken_) {
            auto request = server.requests()[taken_];
            received.push_back({QString::fromUtf8(request.headers["ce-id"]),
                                QString::fromUtf8(request.headers["ce-type"]), request.body});
        }
        return received;
    }

    ScriptedHttp server;

private:
    Mood mood_ = Mood::accept;
    std::size_t taken_ = 0;
};

} // namespace

class HttpTest : public Suite {
    Q_OBJECT
protected:
    std::unique_ptr<Target> makeTarget() override { return std::make_unique<Endpoint>(); }
    ScriptedHttp &server() { return static_cast<Endpoint &>(*target_).server; }
    /// Delivers one message to a server that answers so, and waits for the outcome.
    std::uint64_t answeredWith(const ScriptedHttp::Reaction &reaction);
    /// In place of the suite's destination.
    void use(HttpConfig config);

private Q_SLOTS:
    void sendsCloudEventsInBinaryMode();
    void sendsAuthorizationAndNoCookies();
    void statuses_data();
    void statuses(); // S11, S13
    void honoursRetryAfter_data();
    void honoursRetryAfter(); // S12
    void refusesRedirects();
    void neverSendsTwice();
    void nonsenseIsATargetError();
    void thePlainTimeoutCounts();
    void theStatusDecidesNotTheBody(); // S11
    void noSuchHost();
    void keepsConnections();
    void verifiesTheCertificate();
};

std::uint64_t HttpTest::answeredWith(const ScriptedHttp::Reaction &reaction)
{
    server().setScript([reaction](const ScriptedHttp::Request &) { return reaction; });
    const auto ticket = deliver(message(1));
    if (!QTest::qWaitFor([&] { return outcomes_->of(ticket) != nullptr; }, generous))
        qWarning("no outcome");
    return ticket;
}

void HttpTest::use(HttpConfig config)
{
    replace(std::make_unique<HttpDestination>(std::move(config), *outcomes_));
    destination_->start();
}

void HttpTest::sendsCloudEventsInBinaryMode()
{
    Message sent = message(1);
    sent.tenant = QStringLiteral("Zoë & \"co\" 100%");
    sent.headers = {{QStringLiteral("X-Trace-Id"), QStringLiteral("abc")},
                    {QStringLiteral("id"), QStringLiteral("other")},
                    {QStringLiteral("traceparent"), QString::fromUtf8(traceParent)}};
    const auto ticket = deliver(sent);
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->isAccepted(ticket), generous);
    QCOMPARE(server().requests().size(), std::size_t{1});
    auto request = server().requests().front();
    QCOMPARE(request.method, QByteArray("POST"));
    QCOMPARE(request.target, QByteArray("/in"));
    const auto id = sent.id.value().toByteArray(QUuid::WithoutBraces);
    const std::map<QByteArray, QByteArray> wanted{
        {"content-type", "application/json"},
        {"idempotency-key", id},
        {"ce-specversion", "1.0"},
        {"ce-id", id},
        {"ce-source", "/outbox"},
        {"ce-type", "contract.example"},
        {"ce-time", "2026-03-01T08:15:30.000250Z"},
        {"ce-schemaversion", "2"},
        {"ce-messagekind", "integration_event"},
        {"ce-eventrecord", "event-1"},
        {"ce-tenantid", "Zo%C3%AB%20&%20%22co%22%20100%25"},
        {"ce-xtraceid", "abc"},
        {"ce-headerid", "other"},
        {"ce-traceparent", traceParent},
        {"traceparent", traceParent},
    };
    for (const auto &[name, value] : wanted)
        QCOMPARE(request.headers[name], value);
    for (const auto &[name, value] : request.headers)
        QVERIFY2(!name.startsWith("ce-") || wanted.contains(name), name.constData());
}

void HttpTest::sendsAuthorizationAndNoCookies()
{
    HttpConfig config;
    config.url = QUrl(server().url(QStringLiteral("/in?shop=1")));
    config.authorization = destination::Secret(QStringLiteral("Bearer hush"));
    use(config);
    QCOMPARE(outcomes_->text(answeredWith(ScriptedHttp::status(200, "Set-Cookie: a=b\r\n"))),
             QStringLiteral("accepted"));
    QCOMPARE(outcomes_->text(answeredWith(ScriptedHttp::status(200))), QStringLiteral("accepted"));
    for (auto request : server().requests()) {
        QCOMPARE(request.target, QByteArray("/in?shop=1"));
        QCOMPARE(request.headers["authorization"], QByteArray("Bearer hush"));
        QVERIFY(!request.headers.contains("cookie"));
    }
}

void HttpTest::statuses_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("outcome");
    const auto row = [](int status, const char *outcome) {
        QTest::addRow("%d", status) << status << QString::fromUtf8(outcome);
    };
    for (const int status : {200, 201, 202, 204, 206})
        row(status, "accepted");
    for (const int status : {408, 425, 429})
        row(status, "busy: HTTP status %1");
    for (const int status : {400, 401, 403, 404, 405, 407, 409, 410, 413, 415, 422, 499})
        row(status, "rejected: HTTP status %1");
    for (const int status : {500, 501, 502, 503, 504, 507, 599})
        row(status, "target-error: HTTP status %1");
    for (const int status : {300, 304, 305})
        row(status, "rejected: HTTP status %1: redirects are refused");
}

void HttpTest::statuses()
{
    QFETCH(const int, status);
    QFETCH(QString, outcome);
    if (outcome.contains(u'%'))
        outcome = outcome.arg(status);
    // A body, as many servers send one; those without get none.
    const bool bodiless = status == 204 || status == 304;
    const auto answer = bodiless ? ScriptedHttp::Answer{"HTTP/1.1 " + QByteArray::number(status) + " Said\r\n\r\n"}
                                 : ScriptedHttp::status(status, {}, "{\"secret\": \"hush\"}");
    QCOMPARE(outcomes_->text(answeredWith(answer)), outcome);
    QCOMPARE(server().requests().size(), std::size_t{1});
}

void HttpTest::honoursRetryAfter_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("least"); ///< milliseconds; -1: no wish
    QTest::addColumn<qint64>("most");
    const auto date = [](int fromNow) {
        return QLocale::c()
            .toString(QDateTime::currentDateTimeUtc().addSecs(fromNow),
                      QStringLiteral("ddd, dd MMM yyyy HH:mm:ss 'GMT'"))
            .toLatin1();
    };
    QTest::newRow("429 in seconds") << 429 << QByteArray("120") << qint64{120000} << qint64{120000};
    QTest::newRow("503 in seconds") << 503 << QByteArray("7") << qint64{7000} << qint64{7000};
    QTest::newRow("429 at a date") << 429 << date(3600) << qint64{3000000} << qint64{3600000};
    QTest::newRow("503 at a date that is over") << 503 << date(-3600) << qint64{0} << qint64{0};
    QTest::newRow("obsolete date") << 503 << QByteArray("Sunday, 06-Nov-94 08:49:37 GMT") << qint64{0} << qint64{0};
    QTest::newRow("obsolete asctime date") << 503 << QByteArray("Sun Nov  6 08:49:37 1994") << qint64{0} << qint64{0};
    QTest::newRow("far too long") << 429 << QByteArray("99999999999999999999") << qint64{86400000} << qint64{86400000};
    QTest::newRow("nonsense") << 429 << QByteArray("soon") << qint64{-1} << qint64{-1};
    QTest::newRow("negative") << 429 << QByteArray("-5") << qint64{-1} << qint64{-1};
    QTest::newRow("none") << 429 << QByteArray() << qint64{-1} << qint64{-1};
}

void HttpTest::honoursRetryAfter()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, value);
    QFETCH(const qint64, least);
    QFETCH(const qint64, most);
    const auto ticket = answeredWith(
        ScriptedHttp::status(status, value.isEmpty() ? QByteArray() : QByteArray("Retry-After: " + value + "\r\n")));
    const auto *failure = outcomes_->failureOf(ticket);
    QVERIFY2(failure, qPrintable(outcomes_->text(ticket)));
    const qint64 wish = failure->retryAfter ? failure->retryAfter->count() : -1;
    QVERIFY2(wish >= least && wish <= most, qPrintable(QString::number(wish)));
}

void HttpTest::refusesRedirects()
{
    const auto ticket =
        answeredWith(ScriptedHttp::status(307, "Location: " + server().url().toUtf8() + "/elsewhere?token=hush\r\n"));
    QCOMPARE(outcomes_->text(ticket), QStringLiteral("rejected: HTTP status 307: redirect to host 127.0.0.1 refused"));
    QCOMPARE(server().requests().size(), std::size_t{1});
}

// Qt repeats a POST by itself when a kept-alive connection ends unanswered; a delivery must not be.
void HttpTest::neverSendsTwice()
{
    for (const bool reset : {false, true}) {
        QCOMPARE(outcomes_->text(answeredWith(ScriptedHttp::status(200))),
                 QStringLiteral("accepted")); // now it is kept alive
        const auto before = server().requests().size();
        const auto ticket = answeredWith(ScriptedHttp::Hangup{reset});
        QVERIFY2(outcomes_->text(ticket).startsWith(QStringLiteral("unreachable: ")),
                 qPrintable(outcomes_->text(ticket)));
        QCOMPARE(server().requests().size(), before + 1);
        const auto fresh = answeredWith(ScriptedHttp::Hangup{reset}); // on a fresh connection
        QVERIFY2(outcomes_->text(fresh).startsWith(QStringLiteral("unreachable: ")),
                 qPrintable(outcomes_->text(fresh)));
        QCOMPARE(server().requests().size(), before + 2);
    }
}

void HttpTest::nonsenseIsATargetError()
{
    const auto ticket = answeredWith(ScriptedHttp::Answer{"SSH-2.0-OpenSSH_9.2\r\n\r\n"});
    const auto *failure = outcomes_->failureOf(ticket);
    QVERIFY2(failure && !isPermanent(failure->cause), qPrintable(outcomes_->text(ticket)));
}

void HttpTest::thePlainTimeoutCounts()
{
    HttpConfig config;
    config.url = QUrl(server().url());
    config.timeout = milliseconds{300};
    use(config);
    QCOMPARE(outcomes_->text(answeredWith(ScriptedHttp::Hold{})), QStringLiteral("timeout: no answer in time"));
}

// The target has said yes; that the body never ends is its own affair, and costs us no memory.
void HttpTest::theStatusDecidesNotTheBody()
{
    const QByteArray huge(1024 * 1024, 'x');
    QCOMPARE(outcomes_->text(
                 answeredWith(ScriptedHttp::Answer{"HTTP/1.1 200 Said\r\nContent-Length: 99999999999\r\n\r\n" + huge})),
             QStringLiteral("accepted"));
    QCOMPARE(outcomes_->text(
                 answeredWith(ScriptedHttp::Answer{"HTTP/1.1 400 Said\r\nContent-Length: 99999999999\r\n\r\n" + huge})),
             QStringLiteral("rejected: HTTP status 400"));
}

void HttpTest::noSuchHost()
{
    HttpConfig config;
    config.url = QUrl(QStringLiteral("http://no-such-host.invalid/"));
    use(config);
    const auto ticket = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(ticket), generous);
    QVERIFY2(outcomes_->text(ticket).startsWith(QStringLiteral("unreachable: ")), qPrintable(outcomes_->text(ticket)));
}

void HttpTest::keepsConnections()
{
    for (int i = 0; i < 50; ++i)
        QCOMPARE(outcomes_->text(answeredWith(ScriptedHttp::status(200))), QStringLiteral("accepted"));
    QCOMPARE(server().connections(), 1);
}

void HttpTest::verifiesTheCertificate()
{
    const test::TestCertificate certificate;
    ScriptedHttp secure({}, certificate.server());
    HttpConfig config;
    config.url = QUrl(QStringLiteral("https://localhost:%1/in").arg(secure.port()));
    use(config);
    const auto untrusted = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(untrusted), generous);
    QVERIFY2(
        outcomes_->text(untrusted).startsWith(QStringLiteral("unreachable: TLS handshake failed: The certificate is")),
        qPrintable(outcomes_->text(untrusted)));
    config.caFile = certificate.file();
    use(config);
    const auto trusted = deliver(message(1));
    QTRY_VERIFY_WITH_TIMEOUT(outcomes_->of(trusted), generous);
    QVERIFY2(outcomes_->isAccepted(trusted), qPrintable(outcomes_->text(trusted)));
    QCOMPARE(secure.requests().size(), std::size_t{1});
}

QTEST_GUILESS_MAIN(HttpTest)
#include "http_test.moc"
