// SPDX-License-Identifier: Apache-2.0
#include "program_run.h"
#include "support/test_store.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace outbox::test;

/// Everything wrong that somebody can type, and what the program says then.
class UsageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpIsEnoughToWorkWith()
    {
        const auto help = outbox_.run({QStringLiteral("--help")});
        QCOMPARE(help.code, 0);
        QVERIFY(help.err.isEmpty());
        for (const auto *word :
             {"migrate", "run", "drain", "stage", "stats", "list", "show", "replay", "spec", "doctor", "demo",
              "--store", "--config", "--json", "OUTBOX_STORE", "Exit codes", "Examples"})
            QVERIFY2(help.out.contains(word), word);
        for (const auto *command :
             {"migrate", "run", "drain", "stage", "stats", "list", "show", "replay", "spec", "doctor", "demo"}) {
            const auto own = outbox_.run({QString::fromLatin1(command), QStringLiteral("--help")});
            QVERIFY2(own.code == 0 && own.out.contains(command) && own.out.size() > 200, own.all());
        }
        const auto version = outbox_.run({QStringLiteral("--version")});
        QVERIFY2(version.code == 0 && version.out.startsWith("outbox "), version.all());
    }

    void wrongUsageIsOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *arguments, const char *says) {
            QTest::newRow(name) << QString::fromLatin1(arguments).split(QLatin1Char(' '), Qt::SkipEmptyParts)
                                << QString::fromLatin1(says);
        };
        row("nothing", "", "subcommand");
        row("unknown command", "fly", "fly");
        row("unknown option", "stats --fast", "--fast");
        row("no store", "stats", "--store");
        row("no such kind of store", "--store mysql stats", "mysql");
        row("no folder", "--store embedded: stats", "folder");
        row("bad id", "--store postgresql:///x show 12", "\"12\" is no record id");
        row("bad cursor", "--store postgresql:///x list --before x", "is no record id");
        row("bad state", "--store postgresql:///x list --state flying", "flying");
        row("bad limit", "--store postgresql:///x list --limit 0", "--limit");
        row("bad header", "--store postgresql:///x stage --type t --header novalue", "novalue");
        row("no type", "--store postgresql:///x stage", "--type");
        row("no payload", "--store postgresql:///x stage /nowhere/p.json --type t", "/nowhere/p.json");
        row("no reason", "--store postgresql:///x replay 9d2f0b66-7d5a-4c39-8f0e-3a1c2b4d5e6f", "--reason");
        row("no settings file", "--config /nowhere/outbox.yaml stats", "/nowhere/outbox.yaml");
        row("no destinations", "--store postgresql:///x run", "destination");
    }

    void wrongUsageIsOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto ran = outbox_.run(arguments);
        QVERIFY2(ran.code == 2, ran.all());
        QVERIFY2(ran.out.isEmpty(), ran.all());
        QVERIFY2(ran.err.startsWith("outbox: ") && ran.err.contains(says.toUtf8()), ran.all());
        QCOMPARE(ran.err.count('\n'), 1);
    }

    void aBlankReasonIsNone() // S23
    {
        const auto ran = outbox_.run({QStringLiteral("--store"), QStringLiteral("postgresql:///x"),
                                      QStringLiteral("replay"), QStringLiteral("9d2f0b66-7d5a-4c39-8f0e-3a1c2b4d5e6f"),
                                      QStringLiteral("--reason"), QStringLiteral("  ")});
        QVERIFY2(ran.code == 2 && ran.err.contains("--reason"), ran.all());
    }

    void aBrokenSettingsFileNamesEveryFault()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("outbox.yaml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("worker: { batsh: 5 }\nretry: { attempts: many }\n");
        file.close();
        const auto ran = outbox_.run({QStringLiteral("--config"), file.fileName(), QStringLiteral("stats")});
        QCOMPARE(ran.code, 2);
        QVERIFY2(ran.err.contains("outbox.yaml:1:") && ran.err.contains("batsh"), ran.all());
        QVERIFY2(ran.err.contains("outbox.yaml:2:"), ran.all());
    }

    void aBadMessageIsRefusedWithItsHint() // S4
    {
        TestStore store;
        const QStringList stage{QStringLiteral("--store"), store.uri(), QStringLiteral("stage"),
                                QStringLiteral("--type"), QStringLiteral("t")};
        for (const auto &payload :
             {QByteArray("{"), QByteArray(), QByteArray("{} {}"), QByteArray("\"\xff\""), QByteArray("{}\0{", 4)}) {
            const auto ran = outbox_.run(stage, payload);
            QVERIFY2(ran.code == 2 && ran.err.contains("OB004"), ran.all());
        }
        const auto kind = outbox_.run(stage + QStringList{QStringLiteral("--kind"), QStringLiteral("fax")}, "{}");
        QVERIFY2(kind.code == 2 && kind.err.contains("OB001") && kind.err.contains("integration_event"), kind.all());
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.message")).toInt(), 0);
    }

    void aRecordThatIsNotThereIsNotFound()
    {
        TestStore store;
        const auto ran = outbox_.run({QStringLiteral("--store"), store.uri(), QStringLiteral("show"),
                                      QStringLiteral("9d2f0b66-7d5a-4c39-8f0e-3a1c2b4d5e6f")});
        QVERIFY2(ran.code == 5 && ran.out.isEmpty() && ran.err.contains("9d2f0b66"), ran.all());
    }

    void aStoreThatIsAwayIsUnavailable() // S14
    {
        QTemporaryDir folder;
        const QString nowhere = QStringLiteral("postgresql:///x?host=%1").arg(folder.path());
        for (const auto *command : {"stats", "list", "doctor", "migrate"}) {
            const auto ran = outbox_.run({QStringLiteral("--store"), nowhere, QString::fromLatin1(command)});
            QVERIFY2(ran.code == 3 && ran.out.isEmpty() && ran.err.contains("does not answer"), ran.all());
        }
        TestStore store;
        const auto stranger =
            outbox_.run({QStringLiteral("--store"), store.uri(Login::stranger), QStringLiteral("stats")});
        QVERIFY2(stranger.code == 3 && stranger.err.contains("lacks a right"), stranger.all());
        const auto viewer = outbox_.run({QStringLiteral("--store"), store.uri(Login::viewer), QStringLiteral("stage"),
                                         QStringLiteral("--type"), QStringLiteral("t")},
                                        "{}");
        QVERIFY2(viewer.code == 3 && viewer.err.contains("lacks a right"), viewer.all());
    }

    void passwordsAreNeverEchoed_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QString uri = QStringLiteral("postgresql://me:sec@ret@127.0.0.1:1/x");
        QTest::newRow("away") << QStringList{QStringLiteral("--store"),
                                             QStringLiteral("postgresql://me:sec%40ret@127.0.0.1:1/x"),
                                             QStringLiteral("stats")};
        QTest::newRow("key words") << QStringList{QStringLiteral("--store"),
                                                  QStringLiteral("host=127.0.0.1 port=1 password='sec ret' user=me"),
                                                  QStringLiteral("stats")};
        QTest::newRow("in the wrong place") << QStringList{uri, QStringLiteral("stats")};
        QTest::newRow("as an option") << QStringList{QStringLiteral("stats"), QStringLiteral("--stoer"), uri};
        QTest::newRow("broken") << QStringList{QStringLiteral("--store"), QStringLiteral("postgresql://me:secret@[x/y"),
                                               QStringLiteral("stats")};
        QTest::newRow("broken words") << QStringList{QStringLiteral("--store"), QStringLiteral("pasword=secret x"),
                                                     QStringLiteral("stats")};
    }

    void passwordsAreNeverEchoed()
    {
        QFETCH(QStringList, arguments);
        const auto ran = outbox_.run(arguments);
        QVERIFY2(ran.code == 2 || ran.code == 3, ran.all());
        QVERIFY2(!ran.err.isEmpty() && !ran.all().contains("sec"), ran.all());
        ProgramRun byVariable(QStringLiteral(OUTBOX_PROGRAM));
        byVariable.setEnvironment(QStringLiteral("OUTBOX_STORE"), arguments.filter(QStringLiteral("sec")).constFirst());
        const auto again = byVariable.run({QStringLiteral("stats")});
        QVERIFY2(again.code == 2 || again.code == 3, again.all());
        QVERIFY2(!again.all().contains("sec"), again.all());
    }

    void theCommandLineWinsOverTheVariable()
    {
        TestStore store;
        ProgramRun outbox(QStringLiteral(OUTBOX_PROGRAM));
        outbox.setEnvironment(QStringLiteral("OUTBOX_STORE"), QStringLiteral("mysql"));
        QCOMPARE(outbox.run({QStringLiteral("stats")}).code, 2);
        QCOMPARE(outbox.run({QStringLiteral("stats"), QStringLiteral("--store"), store.uri()}).code, 0);
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("outbox.yaml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("store: \"" + store.uri().toUtf8() + "\"\n");
        file.close();
        const auto ran = outbox_.run({QStringLiteral("stats"), QStringLiteral("--config"), file.fileName()});
        QVERIFY2(ran.code == 0, ran.all());
    }

    void aReaderThatLeavesIsNoError()
    {
        TestStore store;
        store.run(QStringLiteral("select count(outbox.stage('provider_side_effect', 't', 1, '{}'::text))"
                                 " from generate_series(1, 3000)"));
        ProgramRun shell(QStringLiteral("/bin/sh"));
        shell.setEnvironment(QStringLiteral("OUTBOX_STORE"), store.uri());
        const auto ran = shell.run(
            {QStringLiteral("-c"), QStringLiteral("{ '%1' list --limit 3000 --json; echo $? >&2; } | head -n 1")
                                       .arg(QStringLiteral(OUTBOX_PROGRAM))});
        QCOMPARE(ran.objects().size(), 1);
        QCOMPARE(ran.err, QByteArray("141\n"));
    }

private:
    ProgramRun outbox_{QStringLiteral(OUTBOX_PROGRAM)};
};

QTEST_GUILESS_MAIN(UsageTest)

#include "usage_test.moc"
