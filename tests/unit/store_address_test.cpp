// SPDX-License-Identifier: Apache-2.0
#include "store/connection.h"
#include "store/store_address.h"
#include "store/store_error.h"

#include <QDir>
#include <QSqlError>
#include <QTest>

using namespace outbox;
using namespace outbox::store;

namespace {

ServerAddress server(const char *text)
{
    const auto parsed = parseStoreAddress(QString::fromUtf8(text));
    if (!parsed || !std::holds_alternative<ServerAddress>(*parsed))
        return {QStringLiteral("not parsed"), 0, {}, {}, {}, {}};
    return std::get<ServerAddress>(*parsed);
}

} // namespace

class StoreAddressTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesAUri()
    {
        const auto address = server("postgresql://ann:s3cret@db-prod:6543/orders?sslmode=require");
        QCOMPARE(address.host, QStringLiteral("db-prod"));
        QCOMPARE(address.port, 6543);
        QCOMPARE(address.database, QStringLiteral("orders"));
        QCOMPARE(address.user, QStringLiteral("ann"));
        QCOMPARE(address.password, QStringLiteral("s3cret"));
        QCOMPARE(address.options, QStringLiteral("sslmode='require'"));
    }

    void takesKeyWords()
    {
        const auto address = server("host=/run/postgresql dbname='my orders' application_name='it''s'");
        QCOMPARE(address.host, QStringLiteral("not parsed")); // libpq escapes a quote by a backslash only
        const auto escaped = server("host=/run/postgresql dbname='my orders' application_name='it\\'s'");
        QCOMPARE(escaped.host, QStringLiteral("/run/postgresql"));
        QCOMPARE(escaped.database, QStringLiteral("my orders"));
        QCOMPARE(escaped.options, QStringLiteral("application_name='it\\'s'"));
    }

    void takesTheEmbeddedStore()
    {
        const auto named = parseStoreAddress(QStringLiteral("embedded:some/where"));
        QVERIFY(named.ok());
        QCOMPARE(std::get<EmbeddedAddress>(*named).folder,
                 QDir::current().absoluteFilePath(QStringLiteral("some/where")));
        const auto usual = parseStoreAddress(QStringLiteral("embedded"));
        QVERIFY(usual.ok());
        QVERIFY(QDir::isAbsolutePath(std::get<EmbeddedAddress>(*usual).folder));
        QVERIFY(!parseStoreAddress(QStringLiteral("embedded:")).ok());
    }

    void refusesOtherTexts()
    {
        for (const char *text : {"", "  ", "mysql://x", "orders", "postgresql://host:notaport/x", "host"})
            QVERIFY2(!parseStoreAddress(QString::fromLatin1(text)).ok(), text);
    }

    void neverRepeatsAPassword_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char *text) { QTest::newRow(text) << QString::fromLatin1(text); };
        row("postgresql://ann:s3cret@db:5432/orders");
        row("postgresql://ann:s3cret@db:notaport/orders");
        row("postgresql://ann:s3cret@db/orders?nosuch=1");
        row("postgresql://ann:s3cret@[db/orders");
        row("postgresql://ann:s3cret@db/orders?sslmode");
        row("host=db user=ann password=s3cret nosuch=1");
        row("host=db password='s3cret");
        row("host=db password=s3cret =");
        row("host=db password=my s3cret");
        row("host=db password=\"s3cret");
        row("mysql://ann:s3cret@db/orders");
    }
    void neverRepeatsAPassword()
    {
        QFETCH(QString, text);
        const auto parsed = parseStoreAddress(text);
        const QString said = parsed ? displayName(*parsed) : parsed.error();
        QVERIFY(!said.isEmpty());
        QVERIFY2(!said.contains(QStringLiteral("s3cret")), qPrintable(said));
    }

    void namesWhatWasWrong()
    {
        const auto parsed = parseStoreAddress(QStringLiteral("host=db nosuch=1"));
        QVERIFY(!parsed.ok() && parsed.error().contains(QStringLiteral("nosuch")));
        const auto port = parseStoreAddress(QStringLiteral("postgresql://db:notaport/orders"));
        QVERIFY(!port.ok() && port.error().contains(QStringLiteral("notaport")));
    }

    void showsWhereNotWho()
    {
        QCOMPARE(displayName(server("postgresql://ann:x@db-prod/orders")), QStringLiteral("orders @ db-prod"));
        QCOMPARE(displayName(server("postgresql:///orders?host=/run/postgresql")), QStringLiteral("orders @ local"));
        QCOMPARE(displayName(EmbeddedAddress{QStringLiteral("/var/lib/outbox")}),
                 QStringLiteral("embedded @ /var/lib/outbox"));
    }

    void everyErrorHasASentenceAndAName()
    {
        using Why = Unavailable::Why;
        QList<StoreError> errors{
            Conflict{},
            InDoubt{QStringLiteral("reset")},
            SchemaTooOld{1, 2},
            SchemaTooNew{3, 2},
            SchemaDiffers{},
            Refused{QStringLiteral("OB001"), QStringLiteral("no kind"), QStringLiteral("Use one.")}};
        for (const auto why :
             {Why::unreachable, Why::starting, Why::no_schema, Why::no_rights, Why::too_many_connections,
              Why::read_only, Why::no_database, Why::authentication, Why::timeout, Why::resources, Why::embedded})
            errors << Unavailable{why, QStringLiteral("the detail")};
        QSet<QString> names;
        for (const auto &error : errors) {
            QVERIFY(describe(error).size() > 10);
            names << nameOf(error);
            QVERIFY(!std::holds_alternative<Unavailable>(error) ||
                    describe(error).contains(QStringLiteral("the detail")));
        }
        QCOMPARE(names.size(), errors.size());
    }

    void aDeadlockIsAConflict() // S8
    {
        for (const char *state : {"40P01", "40001"}) {
            const QSqlError error(QStringLiteral("driver"), QStringLiteral("ERROR: deadlock detected"),
                                  QSqlError::StatementError, QString::fromLatin1(state));
            QVERIFY(std::holds_alternative<Conflict>(translate(error, true, Effect::writes)));
        }
    }

    void outagesCloseTheStoreAndRefusalsDoNot() // S14
    {
        QVERIFY(isOutage(Unavailable{}));
        QVERIFY(isOutage(SchemaTooOld{}));
        QVERIFY(isOutage(SchemaTooNew{}));
        QVERIFY(isOutage(SchemaDiffers{}));
        QVERIFY(!isOutage(Refused{}));
        QVERIFY(!isOutage(Conflict{}));
    }
};

QTEST_APPLESS_MAIN(StoreAddressTest)

#include "store_address_test.moc"
