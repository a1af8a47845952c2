// SPDX-License-Identifier: Apache-2.0
#include "support/test_store.h"
#include "writer/outbox_writer.h"

#include <QTest>

using namespace outbox;
using namespace outbox::test;
using writer::NewMessage;
using writer::OutboxWriter;

namespace {

NewMessage placed(const QByteArray &payload = "{\"order\": \"1\"}")
{
    NewMessage message;
    message.kind = IntegrationEvent{QStringLiteral("E-1")};
    message.type = MessageType(QStringLiteral("orders.placed"));
    message.payload = payload;
    return message;
}

QString sqlStateOf(const writer::StageError &error)
{
    const auto *store = std::get_if<store::StoreError>(&error);
    const auto *refused = store == nullptr ? nullptr : std::get_if<store::Refused>(store);
    return refused == nullptr ? QString() : refused->sqlState;
}

} // namespace

class WriterTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesAConnectionWithoutATransaction(); // S3
    void refusesAClosedConnection();              // S3
    void joinsTheCallersTransaction();            // S3
    void stagesManyInOrder();
    void keepsEveryField();               // S4
    void passesRefusalsOnWithTheirHint(); // S4
};

// S3
void WriterTest::refusesAConnectionWithoutATransaction()
{
    TestStore store;
    auto connection = store.connect(Login::writer);
    const auto staged = OutboxWriter(connection).stage(placed());
    QVERIFY(!staged.ok());
    QVERIFY(std::holds_alternative<writer::NoTransaction>(staged.error()));
    QVERIFY(writer::describe(staged.error()).contains(QStringLiteral("begin one")));
    QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.message")).toInt(), 0);
}

void WriterTest::refusesAClosedConnection()
{
    const auto staged = OutboxWriter(QSqlDatabase()).stage(placed());
    QVERIFY(!staged.ok());
    QVERIFY(std::holds_alternative<writer::NotUsable>(staged.error()));
}

// S3
void WriterTest::joinsTheCallersTransaction()
{
    TestStore store;
    auto connection = store.connect(Login::writer);
    QVERIFY(connection.transaction());
    QVERIFY(OutboxWriter(connection).stage(placed()).ok());
    QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.message")).toInt(), 0);
    QVERIFY(connection.rollback());
    QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.message")).toInt(), 0);

    QVERIFY(connection.transaction());
    const auto staged = OutboxWriter(connection).stage(placed());
    QVERIFY(staged.ok());
    QVERIFY(connection.commit());
    QCOMPARE(store.value(QStringLiteral("select id from outbox.pending")).toString(), toText(*staged));
}

void WriterTest::stagesManyInOrder()
{
    TestStore store;
    auto connection = store.connect(Login::writer);
    std::vector<NewMessage> messages;
    for (int i = 0; i < 300; ++i)
        messages.push_back(placed(QByteArray::number(i)));
    QVERIFY(connection.transaction());
    const auto staged = OutboxWriter(connection).stageMany(messages);
    QVERIFY(staged.ok());
    QVERIFY(connection.commit());
    QCOMPARE(staged->size(), std::size_t{300});
    const auto rows = store.rows(QStringLiteral("select id, payload::text from outbox.message order by id"));
    for (int i = 0; i < 300; ++i) {
        QCOMPARE(rows[i][0].toString(), toText((*staged)[static_cast<std::size_t>(i)]));
        QCOMPARE(rows[i][1].toInt(), i);
    }
}

// S4 S5
void WriterTest::keepsEveryField()
{
    TestStore store;
    auto connection = store.connect(Login::writer);
    auto message = placed("{\"b\":1, \"a\": \"quote \\\" back \\\\ \\u0000 \xc3\xa9 {}\"}");
    message.tenant = QStringLiteral("acme, \"north\"");
    message.headers = {{QStringLiteral("traceparent"), QStringLiteral("00-ab")},
                       {QStringLiteral("x"), QStringLiteral("a\\b\"c")}};
    message.occurredAt = Timestamp{std::chrono::microseconds{1700000000123456}};
    message.id = MessageId(QUuid::createUuid());
    message.version = SchemaVersion(3);
    QVERIFY(connection.transaction());
    const auto staged = OutboxWriter(connection).stage(message);
    QVERIFY2(staged.ok(), staged.ok() ? "" : qPrintable(writer::describe(staged.error())));
    QVERIFY(connection.commit());
    QCOMPARE(*staged, *message.id);
    const auto row =
        store
            .rows(QStringLiteral("select kind::text, event_record, type, schema_version, occurred_at::text, "
                                 "tenant, payload::text, headers->>'x' from outbox.message"))
            .constFirst();
    QCOMPARE(row, (QVariantList{QStringLiteral("integration_event"), QStringLiteral("E-1"),
                                QStringLiteral("orders.placed"), 3, QStringLiteral("2023-11-14 22:13:20.123456+00"),
                                message.tenant, QString::fromUtf8(message.payload), QStringLiteral("a\\b\"c")}));
}

void WriterTest::passesRefusalsOnWithTheirHint()
{
    TestStore store;
    auto connection = store.connect(Login::writer);
    const auto refusal = [&connection](const NewMessage &message) {
        connection.transaction();
        const auto staged = OutboxWriter(connection).stage(message);
        connection.rollback();
        return staged.ok() ? QStringLiteral("staged") : sqlStateOf(staged.error());
    };
    QCOMPARE(refusal(placed("not json")), QStringLiteral("OB004"));
    QCOMPARE(refusal(placed(QByteArray("{}\0", 3))), QStringLiteral("OB004"));
    QCOMPARE(refusal(placed(QByteArray())), QStringLiteral("OB004"));
    auto blank = placed();
    blank.type = MessageType(QStringLiteral(" "));
    QCOMPARE(refusal(blank), QStringLiteral("OB002"));
    auto zero = placed();
    zero.version = SchemaVersion(0);
    QCOMPARE(refusal(zero), QStringLiteral("OB003"));
    auto without = placed();
    without.kind = IntegrationEvent{};
    QCOMPARE(refusal(without), QStringLiteral("OB005"));
}

QTEST_GUILESS_MAIN(WriterTest)
#include "writer_test.moc"
