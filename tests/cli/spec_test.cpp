// SPDX-License-Identifier: Apache-2.0
#include "program_run.h"
#include "support/test_store.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace outbox::test;

/// The command `spec`: files on one side, the store on the other.
class SpecTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        folder_ = std::make_unique<QTemporaryDir>();
        outbox_ = std::make_unique<ProgramRun>(QStringLiteral(OUTBOX_PROGRAM));
    }

    void theExamplePassesTheCheck() // S1
    {
        const auto ran = outbox_->run(words("spec check " OUTBOX_EXAMPLE));
        QVERIFY2(ran.code == 0 && ran.err.isEmpty(), ran.all());
        QVERIFY2(ran.out.startsWith("notify-warehouse 1 active: orders.placed/1, orders.placed/2, orders.cancelled/1 "
                                    "to orders-broker\n"),
                 ran.all());
        const auto json = outbox_->run(words("spec check --json " OUTBOX_EXAMPLE)).object();
        QVERIFY(json[QStringLiteral("valid")].toBool());
        QCOMPARE(json[QStringLiteral("specifications")].toArray().size(), 3);
    }

    void whatIsWrongIsNamed() // S1
    {
        const QString bad = write("bad.yaml", example().replace("boundary: the provider has answered 2xx\n", ""));
        const auto ran = outbox_->run({QStringLiteral("spec"), QStringLiteral("check"), bad});
        QVERIFY2(ran.code == 2 && ran.out.isEmpty(), ran.all());
        QVERIFY2(ran.err.startsWith("outbox: " + bad.toUtf8() + ":22:1: boundary: missing; expected "), ran.all());
        QCOMPARE(ran.err.count('\n'), 1);
        const auto json =
            outbox_->run({QStringLiteral("spec"), QStringLiteral("check"), QStringLiteral("--json"), bad});
        QCOMPARE(json.code, 2);
        const auto error = json.object()[QStringLiteral("errors")].toArray().at(0).toObject();
        QCOMPARE(error[QStringLiteral("file")].toString(), bad);
        QCOMPARE(error[QStringLiteral("line")].toInt(), 22);
        QCOMPARE(error[QStringLiteral("field")].toString(), QStringLiteral("boundary"));
        QVERIFY(error[QStringLiteral("reason")].toString().startsWith(QStringLiteral("missing")));
    }

    void twoFilesAreCheckedTogether() // S1
    {
        const QString copy = write("copy.yaml", example());
        const auto ran = outbox_->run(words("spec check " OUTBOX_EXAMPLE) << copy);
        QCOMPARE(ran.code, 2);
        QVERIFY2(ran.err.contains(copy.toUtf8() +
                                  ":3:5: id: there is a specification 'notify-warehouse' already, in " OUTBOX_EXAMPLE
                                  ":3"),
                 ran.all());
    }

    void aRepeatableBestEffortIsNotApplied() // S2
    {
        TestStore store;
        const QString bad = write("bad.yaml", example().replace("status: draft\ndecider: head of sales\ndecide_by: "
                                                                "2099-12-31\n",
                                                                "status: active\n"));
        const auto ran = outbox_->run({QStringLiteral("spec"), QStringLiteral("apply"), bad, QStringLiteral("--store"),
                                       store.uri(Login::operator_)});
        QVERIFY2(ran.code == 2 && ran.err.contains("AfterCommitPublisher"), ran.all());
        QCOMPARE(store.value(QStringLiteral("select count(*) from outbox.specification")).toInt(), 0);
    }

    void anOverdueDraftIsAWarning() // S1
    {
        const QString late = write("late.yaml", example().replace("2099-12-31", "2020-12-31"));
        const auto ran = outbox_->run({QStringLiteral("spec"), QStringLiteral("check"), late});
        QVERIFY2(ran.code == 0 && ran.out.contains("warning: " + late.toUtf8() + ":44:12: decide_by: "), ran.all());
        const auto json =
            outbox_->run({QStringLiteral("spec"), QStringLiteral("check"), QStringLiteral("--json"), late});
        QCOMPARE(json.object()[QStringLiteral("warnings")].toArray().size(), 1);
    }

    void appliesAndLists() // S1
    {
        TestStore store;
        outbox_->setEnvironment(QStringLiteral("OUTBOX_STORE"), store.uri(Login::operator_));
        store.stage(QStringLiteral("wild"));
        const auto empty = outbox_->run(words("spec list"));
        QVERIFY2(empty.code == 0 && empty.out.startsWith("No specifications.\nStaged without"), empty.all());
        const auto ran = outbox_->run(words("spec apply " OUTBOX_EXAMPLE));
        QVERIFY2(ran.code == 0, ran.all());
        QVERIFY2(ran.out.startsWith("notify-warehouse 1 inserted\ncharge-card 3 inserted\nremind-of-cart 1 inserted\n"
                                    "Refused from now on, for they have no active specification: wild/1"),
                 ran.all());
        const auto again = outbox_->run(words("spec apply --json " OUTBOX_EXAMPLE));
        QCOMPARE(again.objects().size(), 3);
        QCOMPARE(again.objects()[1][QStringLiteral("outcome")].toString(), QStringLiteral("unchanged"));
        const auto changed = outbox_->run(
            {QStringLiteral("spec"), QStringLiteral("apply"), write("c.yaml", example().replace("99.9%", "99.8%"))});
        QVERIFY2(changed.code == 2 && changed.err.contains("OB051") && changed.err.contains("Raise its version"),
                 changed.all());
        const auto list = outbox_->run(words("spec list --json")).object();
        QCOMPARE(list[QStringLiteral("unspecified")].toString(), QStringLiteral("refuse"));
        const auto rows = list[QStringLiteral("specifications")].toArray();
        QCOMPARE(rows.size(), 3);
        QCOMPARE(rows[0].toObject()[QStringLiteral("id")].toString(), QStringLiteral("charge-card"));
        QCOMPARE(rows[0].toObject()[QStringLiteral("document")].toObject()[QStringLiteral("record_owner")].toString(),
                 QStringLiteral("team payments"));
        QCOMPARE(list[QStringLiteral("types_without_specification")].toArray().size(), 1);
        const auto text = outbox_->run(words("spec list"));
        QVERIFY2(text.out.contains("charge-card       3        active  payments       payments.charge/1\n"),
                 text.all());
    }

    void theRuleForTheRestIsStated() // S2
    {
        TestStore store;
        outbox_->setEnvironment(QStringLiteral("OUTBOX_STORE"), store.uri(Login::operator_));
        const auto ran = outbox_->run(words("spec unspecified refuse"));
        QVERIFY2(ran.code == 0 && ran.out == "Types without an active specification are refused.\n", ran.all());
        QCOMPARE(store.value(QStringLiteral("select unspecified from outbox.specification_setting")).toString(),
                 QStringLiteral("refuse"));
        QCOMPARE(
            outbox_->run(words("spec unspecified --json accept")).object()[QStringLiteral("unspecified")].toString(),
            QStringLiteral("accept"));
        QCOMPARE(outbox_->run(words("spec unspecified perhaps")).code, 2);
    }

    void onlyAnOperatorApplies()
    {
        TestStore store;
        const auto ran =
            outbox_->run(words("spec apply " OUTBOX_EXAMPLE) << QStringLiteral("--store") << store.uri(Login::viewer));
        QVERIFY2(ran.code == 3 && ran.err.contains("lacks a right"), ran.all());
        QCOMPARE(outbox_->run(words("spec list") << QStringLiteral("--store") << store.uri(Login::viewer)).code, 0);
    }

    void wrongUsageIsOneSentence()
    {
        for (const auto *arguments : {"spec", "spec check", "spec fly", "spec apply /nowhere/a.yaml"}) {
            const auto ran = outbox_->run(words(arguments));
            QVERIFY2(ran.code == 2 && ran.out.isEmpty() && ran.err.count('\n') == 1, ran.all());
        }
        QVERIFY(outbox_->run(words("spec --help")).out.contains("Exit 2"));
    }

private:
    static QStringList words(const char *text) { return QString::fromUtf8(text).split(u' '); }
    static QByteArray example()
    {
        QFile file(QStringLiteral(OUTBOX_EXAMPLE));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QString write(const char *name, const QByteArray &text)
    {
        QFile file(folder_->filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", name);
        return file.fileName();
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<ProgramRun> outbox_;
};

QTEST_GUILESS_MAIN(SpecTest)

#include "spec_test.moc"
