// SPDX-License-Identifier: Apache-2.0
#include "program_run.h"
#include "support/test_store.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using namespace outbox::test;

namespace {

/// Kills everything that is pending, as a worker would.
void killPending(TestStore &store)
{
    store.run(QStringLiteral(
        "with w as (select outbox.register_worker('w', 'h', 1, '0', '{}') as worker),"
        " c as materialized (select c.* from w, outbox.claim(w.worker, '1 minute', array(select lane from outbox.lane),"
        " array(select 100 from outbox.lane), array(select '-infinity'::timestamptz from outbox.lane)) c)"
        " select w.worker, c.fence, c.id from w, c"));
    store.run(QStringLiteral("select outbox.dead_letter((select max(worker) from outbox.worker), array_agg(fence),"
                             " array_agg(id), array_agg('rejected'::text), array_agg('422 no such order'::text),"
                             " array_agg(interval '1 ms')) from outbox.processing"));
}

} // namespace

/// Asking the store: each command, as text and as JSON.
class ReadersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        store_ = std::make_unique<TestStore>();
        outbox_ = std::make_unique<ProgramRun>(QStringLiteral(OUTBOX_PROGRAM));
        outbox_->setEnvironment(QStringLiteral("OUTBOX_STORE"), store_->uri());
    }
    void cleanup() { store_.reset(); }

    void stagesFromStandardInputAndShowsTheSameBytes() // S3 S4
    {
        const QByteArray payload = "{\"b\": 1,\n \"a\":\"\\u0000 \xc3\xa9 it's\", \"b\":2.50}";
        const auto staged =
            outbox_->run({QStringLiteral("stage"), QStringLiteral("--type"), QStringLiteral("orders.placed"),
                          QStringLiteral("--event-record"), QStringLiteral("r1"), QStringLiteral("--tenant"),
                          QStringLiteral("north"), QStringLiteral("--header"), QStringLiteral("a=b=c")},
                         payload);
        QVERIFY2(staged.code == 0, staged.all());
        const QString id = QString::fromUtf8(staged.out.trimmed());
        const auto text = outbox_->run({QStringLiteral("show"), id});
        QVERIFY2(text.code == 0, text.all());
        QVERIFY2(text.out.endsWith("\n\n" + payload + "\n"), text.all());
        const auto json = outbox_->run({QStringLiteral("show"), id, QStringLiteral("--json")});
        QVERIFY2(json.out.contains("\"payload\":" + payload + "}"), json.all());
        const auto shown = QJsonDocument::fromJson(json.out).object();
        QCOMPARE(shown[QStringLiteral("kind")].toString(), QStringLiteral("integration_event"));
        QCOMPARE(shown[QStringLiteral("event_record")].toString(), QStringLiteral("r1"));
        QCOMPARE(shown[QStringLiteral("tenant")].toString(), QStringLiteral("north"));
        QCOMPARE(shown[QStringLiteral("state")].toString(), QStringLiteral("pending"));
        QCOMPARE(shown[QStringLiteral("headers")].toObject()[QStringLiteral("a")].toString(), QStringLiteral("b=c"));
        QVERIFY(shown[QStringLiteral("destination")].isNull());
    }

    void stagesFromAFile()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("p.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[1]");
        file.close();
        const auto ran = outbox_->run({QStringLiteral("--json"), QStringLiteral("stage"), file.fileName(),
                                       QStringLiteral("--type"), QStringLiteral("t"), QStringLiteral("--id"),
                                       QStringLiteral("9d2f0b66-7d5a-4c39-8f0e-3a1c2b4d5e6f")});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.object()[QStringLiteral("id")].toString(), QStringLiteral("9d2f0b66-7d5a-4c39-8f0e-3a1c2b4d5e6f"));
        QCOMPARE(store_->value(QStringLiteral("select payload::text from outbox.message")).toString(),
                 QStringLiteral("[1]"));
    }

    void statsHaveTheirMembers()
    {
        const auto empty = outbox_->run({QStringLiteral("stats"), QStringLiteral("--json")});
        QVERIFY2(empty.code == 0, empty.all());
        QVERIFY(empty.object()[QStringLiteral("oldest_pending_age_seconds")].isNull());
        store_->stage(QStringLiteral("a"));
        store_->stage(QStringLiteral("a"));
        killPending(*store_);
        store_->stage(QStringLiteral("b"));
        const auto ran = outbox_->run({QStringLiteral("stats"), QStringLiteral("--json")});
        const auto stats = ran.object();
        QCOMPARE(stats[QStringLiteral("pending")].toInt(-1), 1);
        QCOMPARE(stats[QStringLiteral("processing")].toInt(-1), 0);
        QCOMPARE(stats[QStringLiteral("dead_letter")].toInt(-1), 2);
        QCOMPARE(stats[QStringLiteral("dispatched")].toInt(-1), 0);
        QVERIFY(stats[QStringLiteral("oldest_pending_age_seconds")].toDouble(-1) >= 0);
        QCOMPARE(stats[QStringLiteral("oldest_pending_type")].toString(), QStringLiteral("b"));
        const auto text = outbox_->run({QStringLiteral("stats")});
        QVERIFY2(text.out.contains("pending                   1\n"), text.all());
    }

    void listsPagesWithFilters()
    {
        QStringList staged;
        for (int i = 0; i < 7; ++i)
            staged.prepend(store_->stage(i == 2 ? QStringLiteral("rare") : QStringLiteral("usual")));
        const auto idsOf = [](const Ran &ran) {
            QStringList ids;
            for (const auto &each : ran.objects())
                ids << each[QStringLiteral("id")].toString();
            return ids;
        };
        const auto first = outbox_->run(
            {QStringLiteral("list"), QStringLiteral("--json"), QStringLiteral("--limit"), QStringLiteral("3")});
        QVERIFY2(first.code == 0, first.all());
        QCOMPARE(idsOf(first), staged.mid(0, 3));
        const auto second =
            outbox_->run({QStringLiteral("list"), QStringLiteral("--json"), QStringLiteral("--before"), staged[2]});
        QCOMPARE(idsOf(second), staged.mid(3));
        const auto rare =
            outbox_->run({QStringLiteral("list"), QStringLiteral("--json"), QStringLiteral("--type"),
                          QStringLiteral("rare"), QStringLiteral("--state"), QStringLiteral("pending,dead_letter")});
        QCOMPARE(idsOf(rare), QStringList{staged[4]});
        const auto text = outbox_->run({QStringLiteral("list"), QStringLiteral("--limit"), QStringLiteral("1")});
        QVERIFY2(text.out.startsWith("ID  ") &&
                     text.out.contains("There is more: outbox list --before " + staged[0].toLatin1()),
                 text.all());
        const auto none =
            outbox_->run({QStringLiteral("list"), QStringLiteral("--state"), QStringLiteral("dispatched")});
        QCOMPARE(none.out, QByteArray("No such records.\n"));
    }

    void replaysWithVerdicts() // S22 S23
    {
        const QString dead = store_->stage(QStringLiteral("a"));
        killPending(*store_);
        const QString waiting = store_->stage(QStringLiteral("b"));
        const auto shown = outbox_->run({QStringLiteral("show"), dead});
        QVERIFY2(shown.out.contains("rejected") && shown.out.contains("422 no such order"), shown.all());
        const auto ran = outbox_->run({QStringLiteral("replay"), dead, waiting, QStringLiteral("--reason"),
                                       QStringLiteral("fixed"), QStringLiteral("--json")});
        QCOMPARE(ran.code, 1);
        QCOMPARE(ran.objects().size(), 2);
        QCOMPARE(ran.objects()[0][QStringLiteral("replayed")].toBool(), true);
        QCOMPARE(ran.objects()[1][QStringLiteral("why")].toString(), QStringLiteral("not a dead letter"));
        QCOMPARE(store_->value(QStringLiteral("select reason from outbox.replay")).toString(), QStringLiteral("fixed"));
        const auto after = outbox_->run({QStringLiteral("show"), dead, QStringLiteral("--json")}).object();
        QCOMPARE(after[QStringLiteral("state")].toString(), QStringLiteral("pending"));
        QCOMPARE(after[QStringLiteral("replays")].toArray().size(), 1);
        QCOMPARE(after[QStringLiteral("failed_attempts")].toArray().size(), 1);
    }

    void replaysIdsFromStandardInput()
    {
        const QStringList ids{store_->stage(QStringLiteral("a")), store_->stage(QStringLiteral("a"))};
        killPending(*store_);
        const auto ran = outbox_->run(
            {QStringLiteral("replay"), QStringLiteral("-"), QStringLiteral("--reason"), QStringLiteral("fixed")},
            (ids.join(QLatin1Char('\n')) + QLatin1Char('\n')).toLatin1());
        QVERIFY2(ran.code == 0 && ran.out.endsWith("2 replayed, 0 refused.\n"), ran.all());
    }

    void doctorTellsProblemsByItsExitCode()
    {
        const auto healthy = outbox_->run({QStringLiteral("doctor"), QStringLiteral("--json")});
        QVERIFY2(healthy.code == 0, healthy.all());
        QCOMPARE(healthy.object()[QStringLiteral("healthy")].toBool(), true);
        QVERIFY(healthy.object()[QStringLiteral("checks")].toArray().size() >= 10);
        const QString lost = store_->stage(QStringLiteral("a"));
        store_->run(QStringLiteral("delete from outbox.pending"));
        const auto ill = outbox_->run({QStringLiteral("doctor")});
        QCOMPARE(ill.code, 1);
        QVERIFY2(ill.out.contains("1 record in no state: " + lost.toLatin1()), ill.all());
        QCOMPARE(outbox_->run({QStringLiteral("doctor"), QStringLiteral("--json")})
                     .object()[QStringLiteral("healthy")]
                     .toBool(true),
                 false);
    }

    void migratesOnceAndSaysSo()
    {
        TestStore fresh(TestCluster::shared(), TestStore::Schema::none);
        const QStringList migrate{QStringLiteral("--store"), fresh.uri(), QStringLiteral("migrate")};
        const auto missing = outbox_->run({QStringLiteral("--store"), fresh.uri(), QStringLiteral("stats")});
        QCOMPARE(missing.code, 4);
        QVERIFY2(missing.err.contains("outbox migrate"), missing.all());
        const auto first = outbox_->run(migrate);
        QVERIFY2(first.code == 0 && first.out.startsWith("Made the schema"), first.all());
        const auto second = outbox_->run(migrate + QStringList{QStringLiteral("--json")});
        QCOMPARE(second.object()[QStringLiteral("from")].toInt(), second.object()[QStringLiteral("to")].toInt(-1));
        QCOMPARE(outbox_->run({QStringLiteral("--store"), fresh.uri(), QStringLiteral("doctor")}).code, 0);
        fresh.run(QStringLiteral("insert into outbox.schema_version (version, name, checksum) "
                                 "values (9999, 'of the future', '')"));
        const auto newer = outbox_->run({QStringLiteral("--store"), fresh.uri(), QStringLiteral("stats")});
        QCOMPARE(newer.code, 4);
        QVERIFY2(newer.err.contains("9999"), newer.all());
        QCOMPARE(outbox_->run(migrate).code, 4);
        fresh.run(QStringLiteral("update outbox.schema_version set checksum = '' where version = 2"));
        const auto other = outbox_->run(migrate);
        QCOMPARE(other.code, 4);
        QVERIFY2(other.err.contains("0002_tables") && other.err.contains("new store"), other.all());
    }

private:
    std::unique_ptr<TestStore> store_;
    std::unique_ptr<ProgramRun> outbox_;
};

QTEST_GUILESS_MAIN(ReadersTest)

#include "readers_test.moc"
