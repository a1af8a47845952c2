// SPDX-License-Identifier: Apache-2.0
#include "program_run.h"
#include "support/test_store.h"

#include <QFile>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace outbox::test;

namespace {

constexpr int patience = 30'000;

/// An endpoint that takes each POST, and answers it or keeps it waiting.
class Endpoint : public QTcpServer {
    Q_OBJECT
public:
    explicit Endpoint(bool answers) : answers_(answers)
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this] {
            auto *socket = nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        });
    }
    [[nodiscard]] int taken() const { return taken_; }
    void answerAll()
    {
        answers_ = true;
        for (auto *socket : std::as_const(waiting_))
            socket->write("HTTP/1.1 204 No Content\r\n\r\n");
        waiting_.clear();
    }

private:
    void read(QTcpSocket *socket)
    {
        auto &buffer = buffers_[socket];
        buffer += socket->readAll();
        for (auto end = buffer.indexOf("\r\n\r\n{}"); end >= 0; end = buffer.indexOf("\r\n\r\n{}")) {
            buffer.remove(0, end + 6);
            ++taken_;
            if (answers_)
                socket->write("HTTP/1.1 204 No Content\r\n\r\n");
            else
                waiting_ << socket;
        }
    }
    bool answers_;
    int taken_ = 0;
    QHash<QTcpSocket *, QByteArray> buffers_;
    QList<QTcpSocket *> waiting_;
};

} // namespace

/// Delivering: run, drain and demo, and how they end.
class WorkerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { store_ = std::make_unique<TestStore>(); }
    void cleanup() { store_.reset(); }

    void drainDeliversWhatIsDueAndEnds() // S6 S11
    {
        Endpoint endpoint(true);
        stage(25);
        store_->run(QStringLiteral("select outbox.stage('provider_side_effect', 'later', 1, '{}'::text,"
                                   " not_before => now() + interval '1 hour')"));
        auto drain =
            outbox_.start(arguments(endpoint, QStringLiteral("drain")) + QStringList{QStringLiteral("--json")});
        QSignalSpy ended(drain.get(), &QProcess::finished);
        QVERIFY(ended.wait(patience));
        const Ran ran{drain->exitCode(), drain->readAllStandardOutput(), drain->readAllStandardError()};
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.object()[QStringLiteral("accepted")].toInt(), 25);
        QCOMPARE(endpoint.taken(), 25);
        QCOMPARE(count(QStringLiteral("dispatched")), 25);
        QCOMPARE(count(QStringLiteral("pending")), 1);
        QCOMPARE(count(QStringLiteral("lease")), 0);
        QCOMPARE(store_->value(QStringLiteral("select count(*) from outbox.worker where stopped_at is null")).toInt(),
                 0);
    }

    void drainNeedsAStoreAtOnce() // S15
    {
        Endpoint endpoint(true);
        const auto away = outbox_.run({QStringLiteral("--config"), configFor(endpoint), QStringLiteral("drain"),
                                       QStringLiteral("--store"), QStringLiteral("postgresql:///x?host=/nowhere")});
        QVERIFY2(away.code == 3, away.all());
    }

    void aSignalStopsInGoodOrder_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("code");
        QTest::newRow("run, SIGTERM") << SIGTERM << QStringLiteral("run") << 0;
        QTest::newRow("run, SIGINT") << SIGINT << QStringLiteral("run") << 0;
        QTest::newRow("drain, SIGTERM") << SIGTERM << QStringLiteral("drain") << 143;
    }

    void aSignalStopsInGoodOrder() // S9
    {
        QFETCH(int, number);
        QFETCH(QString, command);
        QFETCH(int, code);
        Endpoint endpoint(false);
        stage(5);
        auto worker = outbox_.start(arguments(endpoint, command));
        QSignalSpy ended(worker.get(), &QProcess::finished);
        QTRY_COMPARE_WITH_TIMEOUT(endpoint.taken(), 2, patience); // its concurrency
        ::kill(static_cast<pid_t>(worker->processId()), number);
        // What is in flight may still end; the rest is given back.
        endpoint.answerAll();
        QVERIFY(ended.count() > 0 || ended.wait(patience));
        const Ran ran{worker->exitCode(), worker->readAllStandardOutput(), worker->readAllStandardError()};
        QVERIFY2(worker->exitStatus() == QProcess::NormalExit && ran.code == code, ran.all());
        QCOMPARE(count(QStringLiteral("lease")), 0);
        QCOMPARE(count(QStringLiteral("processing")), 0);
        QCOMPARE(count(QStringLiteral("pending")) + count(QStringLiteral("dispatched")), 5);
        QVERIFY(count(QStringLiteral("dispatched")) >= 2);
        QCOMPARE(count(QStringLiteral("attempt")), 0);
    }

    void aSecondSignalEndsAtOnce()
    {
        Endpoint endpoint(false);
        stage(2);
        auto worker = outbox_.start(arguments(endpoint, QStringLiteral("run")));
        QSignalSpy ended(worker.get(), &QProcess::finished);
        QTRY_COMPARE_WITH_TIMEOUT(endpoint.taken(), 2, patience);
        ::kill(static_cast<pid_t>(worker->processId()), SIGTERM);
        ::kill(static_cast<pid_t>(worker->processId()), SIGINT);
        QVERIFY(ended.count() > 0 || ended.wait(patience));
        QVERIFY2(worker->exitCode() == 130 || worker->exitCode() == 143, worker->readAllStandardError().constData());
        // Nothing was lost: it is under its lease until that runs out.
        QCOMPARE(count(QStringLiteral("processing")), 2);
    }

    void theDemoReceivesExactlyWhatWasCommitted() // S3 S11 S22 S23
    {
        const auto ran =
            outbox_.run({QStringLiteral("--store"), store_->uri(), QStringLiteral("demo"), QStringLiteral("--json"),
                         QStringLiteral("--transactions"), QStringLiteral("120")});
        QVERIFY2(ran.code == 0, ran.all());
        const auto report = ran.object();
        QCOMPARE(report[QStringLiteral("received")].toInt(-1), report[QStringLiteral("committed")].toInt());
        QVERIFY(report[QStringLiteral("committed")].toInt() > 0);
        QCOMPARE(report[QStringLiteral("missing")].toInt(-1), 0);
        QCOMPARE(report[QStringLiteral("rolled_back_but_received")].toInt(-1), 0);
        QCOMPARE(report[QStringLiteral("replayed")].toInt(-1), report[QStringLiteral("dead_letters")].toInt());
        QCOMPARE(store_->value(QStringLiteral("select count(*) from outbox.message")).toInt(),
                 report[QStringLiteral("committed")].toInt());
        QCOMPARE(count(QStringLiteral("dispatched")), report[QStringLiteral("committed")].toInt());
        QCOMPARE(outbox_.run({QStringLiteral("--store"), store_->uri(), QStringLiteral("doctor")}).code, 0);
    }

    // What a demo stages cannot be taken out of a store again.
    void theDemoKeepsOutOfTheUsualStore()
    {
        QTemporaryDir folder(QStringLiteral("/var/tmp/outbox-cli-XXXXXX"));
        QVERIFY(QFile::setPermissions(folder.path(), QFile::Permissions(0x7755)));
        ProgramRun program{QStringLiteral(OUTBOX_PROGRAM)};
        program.setEnvironment(QStringLiteral("XDG_DATA_HOME"), folder.path());
        program.setEnvironment(QStringLiteral("OUTBOX_STORE"), store_->uri());
        const auto ran = program.run({QStringLiteral("demo"), QStringLiteral("--transactions"), QStringLiteral("20")});
        QVERIFY2(ran.code == 0, ran.all());
        QVERIFY2(ran.out.contains("/outbox/demo\n"), ran.all());
        QCOMPARE(count(QStringLiteral("message")), 0);
        QCOMPARE(count(QStringLiteral("route")), 0);
    }

    void anEmbeddedStoreNeedsNothing() // D6
    {
        QTemporaryDir folder(QStringLiteral("/var/tmp/outbox-cli-XXXXXX"));
        // Under root the server runs as another account, which has to get there.
        QVERIFY(QFile::setPermissions(folder.path(), QFile::Permissions(0x7755)));
        const QString address = QStringLiteral("embedded:%1/store").arg(folder.path());
        const auto staged = outbox_.run({QStringLiteral("--store"), address, QStringLiteral("stage"),
                                         QStringLiteral("--type"), QStringLiteral("t")},
                                        "{}");
        QVERIFY2(staged.code == 0, staged.all());
        const auto stats =
            outbox_.run({QStringLiteral("--store"), address, QStringLiteral("stats"), QStringLiteral("--json")});
        QVERIFY2(stats.code == 0, stats.all());
        QCOMPARE(stats.object()[QStringLiteral("pending")].toInt(-1), 1);
    }

private:
    void stage(int messages)
    {
        store_->run(QStringLiteral("select count(outbox.stage('provider_side_effect', 'orders.placed', 1, '{}'::text))"
                                   " from generate_series(1, ?)"),
                    {messages});
    }

    int count(const QString &table)
    {
        return store_->value(QStringLiteral("select count(*) from outbox.") + table).toInt();
    }

    QString configFor(const Endpoint &endpoint)
    {
        const QString path = folder_.filePath(QStringLiteral("outbox.yaml"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            qFatal("no settings file");
        file.write(QStringLiteral("destinations:\n"
                                  "  here:\n"
                                  "    http: { url: \"http://127.0.0.1:%1/in\", timeout: 20s, concurrency: 2 }\n"
                                  "routes:\n"
                                  "  - { type: \"*\", destination: here }\n")
                       .arg(endpoint.serverPort())
                       .toUtf8());
        return path;
    }

    QStringList arguments(const Endpoint &endpoint, const QString &command)
    {
        return {QStringLiteral("--store"), store_->uri(), QStringLiteral("--config"), configFor(endpoint), command};
    }

    ProgramRun outbox_{QStringLiteral(OUTBOX_PROGRAM)};
    QTemporaryDir folder_;
    std::unique_ptr<TestStore> store_;
};

QTEST_GUILESS_MAIN(WorkerTest)

#include "worker_test.moc"
