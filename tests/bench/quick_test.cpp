// SPDX-License-Identifier: Apache-2.0
// outbox-bench says what it promises to say. Nothing here is about speed.

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;

class QuickTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyComparisonIsOneLineOfJson();
    void theTableHasALineForEachComparison();
    void anUnknownNameIsWrongUsage();

private:
    static int run(const QStringList &arguments, QByteArray &out)
    {
        QProcess bench;
        bench.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        bench.start(QStringLiteral(OUTBOX_BENCH_PROGRAM), arguments);
        if (!bench.waitForFinished(280000)) {
            return -1;
        }
        out = bench.readAllStandardOutput();
        return bench.exitStatus() == QProcess::NormalExit ? bench.exitCode() : -2;
    }
};

void QuickTest::everyComparisonIsOneLineOfJson()
{
    QByteArray out;
    QCOMPARE(run({u"--quick"_s, u"--json"_s, u"--no-peers"_s}, out), 0);
    QStringList found;
    const auto lines = out.trimmed().split('\n');
    for (const auto &line : lines) {
        const auto comparison = QJsonDocument::fromJson(line).object();
        QVERIFY2(!comparison.isEmpty(), line.constData());
        QVERIFY2(comparison.value(u"against"_s).isNull() || comparison.value(u"ratio"_s).toDouble() > 0,
                 line.constData());
        QVERIFY2(!comparison.value(u"figures"_s).toObject().isEmpty(), line.constData());
        found << comparison.value(u"bench"_s).toString() + u' ' + comparison.value(u"against"_s).toString();
        if (comparison.value(u"bench"_s) == u"drain"_s) {
            const auto memory = comparison.value(u"figures"_s)[u"worker_peak_memory_mib"_s].toDouble();
            QVERIFY2(memory > 1, line.constData());
        }
    }
    const QStringList promised{u"drain ceiling"_s,      u"drain no-snapshot"_s,   u"drain no-history"_s,
                               u"stage plain-insert"_s, u"amqp bare-publisher"_s, u"http bare-publisher"_s,
                               u"console 100-ms"_s};
    for (const auto &comparison : promised) {
        QCOMPARE(found.count(comparison), 1);
    }
}

void QuickTest::theTableHasALineForEachComparison()
{
    QByteArray out;
    QCOMPARE(run({u"stage"_s, u"--quick"_s, u"--no-peers"_s}, out), 0);
    QVERIFY2(out.startsWith("stage "), out.constData());
    QVERIFY2(out.contains("plain-insert") && out.contains("stage_tps"), out.constData());
}

void QuickTest::anUnknownNameIsWrongUsage()
{
    QByteArray out;
    QCOMPARE(run({u"speed-of-light"_s}, out), 2);
}

QTEST_GUILESS_MAIN(QuickTest)
#include "quick_test.moc"
