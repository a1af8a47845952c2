// SPDX-License-Identifier: Apache-2.0
#include "settings/key_store.h"
#include "settings/load.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace outbox;
using namespace outbox::app;

namespace {

constexpr int generous = 30000;

/// A session bus with a GNOME keyring on it, private to this program, for as long as it lives.
class Desktop {
public:
    Desktop()
    {
        for (const auto *name : {"HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            qputenv(name, home_.path().toUtf8());
        QFile configuration(home_.filePath(QStringLiteral("bus.conf")));
        if (configuration.open(QIODevice::WriteOnly)) // no service folders: the bus starts no keyring by itself
            configuration.write("<busconfig><type>session</type><listen>unix:dir=" + home_.path().toUtf8() +
                                "</listen><policy context=\"default\"><allow send_destination=\"*\" "
                                "eavesdrop=\"true\"/><allow eavesdrop=\"true\"/>"
                                "<allow own=\"*\"/></policy></busconfig>\n");
        configuration.close();
        bus_.start(QStringLiteral("dbus-daemon"), {QStringLiteral("--config-file=") + configuration.fileName(),
                                                   QStringLiteral("--nofork"), QStringLiteral("--print-address=1")});
        if (bus_.waitForReadyRead(generous))
            qputenv("DBUS_SESSION_BUS_ADDRESS", bus_.readLine().trimmed());
    }
    ~Desktop()
    {
        for (QProcess *each : {&keyring_, &bus_}) {
            each->terminate();
            each->waitForFinished(generous);
        }
    }
    void startKeyring()
    {
        keyring_.start(
            QStringLiteral("gnome-keyring-daemon"),
            {QStringLiteral("--foreground"), QStringLiteral("--unlock"), QStringLiteral("--components=secrets")});
        keyring_.write("password");
        keyring_.closeWriteChannel();
        keyring_.waitForStarted(generous);
    }
    /// Puts one secret in, as the README of the settings says; false while the keyring is not there yet.
    static bool keep(const QString &name, const QByteArray &secret)
    {
        QProcess tool;
        tool.start(
            QStringLiteral("secret-tool"),
            QStringLiteral("store --label=outbox xdg:schema org.qt.keychain server outbox user %1 type plaintext")
                .arg(name)
                .split(u' '));
        tool.write(secret);
        tool.closeWriteChannel();
        return tool.waitForFinished(generous) && tool.exitCode() == 0;
    }

private:
    QTemporaryDir home_;
    QProcess bus_;
    QProcess keyring_;
};

} // namespace

/// `{keychain: NAME}` against a real key store.
class KeyStoreTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhenThereIsNone();
    void readsASecret();
    void namesWhatIsMissing();

private:
    Desktop desktop_;
};

void KeyStoreTest::saysWhenThereIsNone()
{
    const auto found = systemKeyStore()(QStringLiteral("pay"));
    QVERIFY(!found.ok());
    QVERIFY2(found.error().contains(QStringLiteral("key store")), qPrintable(found.error()));
}

void KeyStoreTest::readsASecret()
{
    desktop_.startKeyring();
    QTRY_VERIFY_WITH_TIMEOUT(Desktop::keep(QStringLiteral("pay"), "Bearer f\xc3\xbcnf"), generous);
    const auto parsed =
        parseSettings("destinations: { d: { http: { url: 'http://h', authorization: {keychain: pay} } } }",
                      QStringLiteral("outbox.yaml"), QString(), processEnvironment());
    QVERIFY2(parsed.ok(), parsed.ok() ? "" : qPrintable(textOf(parsed.error())));
    QCOMPARE(std::get<destination::HttpConfig>(parsed->destinations[0].transport).authorization.reveal(),
             QStringLiteral("Bearer fünf"));
}

void KeyStoreTest::namesWhatIsMissing()
{
    QVERIFY(Desktop::keep(QStringLiteral("other"), "hush"));
    const auto parsed = parseSettings("destinations: { d: { http: { url: 'http://h', bearer: {keychain: token} } } }",
                                      QStringLiteral("outbox.yaml"), QString(), processEnvironment());
    QVERIFY(!parsed.ok());
    QCOMPARE(
        textOf(parsed.error()),
        QStringLiteral("outbox.yaml:1:66: destinations.d.http.bearer.keychain: no secret 'token': the key store has "
                       "no such secret of the service 'outbox'"));
}

QTEST_GUILESS_MAIN(KeyStoreTest)
#include "key_store_test.moc"
