// SPDX-License-Identifier: Apache-2.0
#include "store/embedded/cluster.h"
#include "store/embedded/process_table.h"
#include "store/embedded_store.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <thread>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace outbox;
using namespace outbox::store;

namespace {

constexpr milliseconds limit{60000};
const auto holdArgument = QStringLiteral("--hold-store");

EmbeddedSettings fast()
{
    EmbeddedSettings settings;
    settings.durable = false;
    settings.configuration = {QStringLiteral("shared_buffers = 8MB"), QStringLiteral("max_connections = 10")};
    return settings;
}

QString ask(const ServerAddress &address, const QString &sql)
{
    QString answer;
    {
        auto database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), QStringLiteral("ask"));
        database.setHostName(address.host);
        database.setPort(address.port);
        database.setDatabaseName(address.database);
        database.setUserName(address.user);
        QSqlQuery query(database);
        if (database.open() && query.exec(sql) && query.next())
            answer = query.value(0).toString();
        else
            answer = QStringLiteral("failed: ") + database.lastError().text() + query.lastError().text();
    }
    QSqlDatabase::removeDatabase(QStringLiteral("ask"));
    return answer;
}

qint64 pidIn(const QString &folder)
{
    QFile file(folder + QStringLiteral("/data/postmaster.pid"));
    return file.open(QIODevice::ReadOnly) ? file.readLine().trimmed().toLongLong() : 0;
}

bool runsIn(const QString &folder) { return embedded::anybodyWorksIn(folder + QStringLiteral("/data")); }

QSet<QString> socketsOf(qint64 pid)
{
    QSet<QString> inodes;
    static const QRegularExpression socket(QStringLiteral("socket:\\[(\\d+)\\]"));
    const QDir descriptors(QStringLiteral("/proc/%1/fd").arg(pid));
    const auto names = descriptors.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    for (const auto &name : names) {
        std::array<char, 64> target{};
        const auto path = QFile::encodeName(descriptors.filePath(name));
        if (readlink(path.constData(), target.data(), target.size() - 1) > 0)
            if (const auto match = socket.match(QString::fromLatin1(target.data())); match.hasMatch())
                inodes << match.captured(1);
    }
    return inodes;
}

int knownIn(const QString &table, const QSet<QString> &inodes)
{
    QFile file(table);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    int count = 0;
    const auto lines = QString::fromLatin1(file.readAll()).split(QLatin1Char('\n'));
    for (const auto &line : lines)
        for (const auto &word : line.simplified().split(QLatin1Char(' ')))
            count += inodes.contains(word) ? 1 : 0;
    return count;
}

QString why(const StoreError &error)
{
    const auto *unavailable = std::get_if<Unavailable>(&error);
    return unavailable && unavailable->why == Unavailable::Why::embedded ? unavailable->text : QString();
}

/// Opens the store as another program would, says so, and stays until it is killed.
int holdStore(const QString &folder)
{
    const auto opened = EmbeddedStore::open({folder}, limit, fast());
    std::puts(opened ? "open" : "failed");
    std::fflush(stdout);
    std::getchar();
    return opened ? 0 : 1;
}

} // namespace

class EmbeddedStoreTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> place_;
    [[nodiscard]] QString folder() const { return place_->path() + QStringLiteral("/store"); }
    Result<std::unique_ptr<EmbeddedStore>, StoreError> open(const EmbeddedSettings &settings = fast())
    {
        return EmbeddedStore::open({folder()}, limit, settings);
    }
    void startHolder(QProcess &process)
    {
        process.start(QCoreApplication::applicationFilePath(), {holdArgument, folder()});
        QVERIFY(process.waitForReadyRead(60000));
        QCOMPARE(process.readLine().trimmed(), QByteArray("open"));
    }

private Q_SLOTS:
    void init()
    {
        place_ = std::make_unique<QTemporaryDir>();
        chmod(QFile::encodeName(place_->path()).constData(), 0755); // as root, another account has to pass
    }
    void cleanup()
    {
        QVERIFY(!runsIn(folder()));
        place_.reset();
    }

    void makesAndStops() // D6
    {
        auto opened = open();
        QVERIFY2(opened.ok(), opened.ok() ? "" : qPrintable(describe(opened.error())));
        auto &store = *opened.value();
        QVERIFY(!store.wasAdopted());
        QCOMPARE(ask(store.address(), QStringLiteral("select current_database()")), QStringLiteral("outbox"));
        QVERIFY(store.stop(limit).ok());
        QVERIFY(!runsIn(folder()));
        QVERIFY(store.stop(limit).ok());
    }

    void speaksUtcAndUtf8() // P18
    {
        qputenv("TZ", "Asia/Tokyo");
        const auto opened = open();
        qunsetenv("TZ");
        QVERIFY(opened.ok());
        const auto address = opened.value()->address();
        QCOMPARE(ask(address, QStringLiteral("show timezone")), QStringLiteral("UTC"));
        QCOMPARE(ask(address, QStringLiteral("show server_encoding")), QStringLiteral("UTF8"));
        QCOMPARE(ask(address, QStringLiteral("show data_checksums")), QStringLiteral("on"));
        QCOMPARE(ask(address, QStringLiteral("show max_connections")), QStringLiteral("10"));
    }

    void opensNoNetworkPort()
    {
        const auto opened = open();
        QVERIFY(opened.ok());
        const auto inodes = socketsOf(pidIn(folder()));
        QVERIFY(knownIn(QStringLiteral("/proc/net/unix"), inodes) > 0);
        QCOMPARE(knownIn(QStringLiteral("/proc/net/tcp"), inodes), 0);
        QCOMPARE(knownIn(QStringLiteral("/proc/net/tcp6"), inodes), 0);
    }

    void isClosedToOtherAccounts()
    {
        const auto opened = open();
        QVERIFY(opened.ok());
        for (const auto &path : {folder(), opened.value()->address().host, folder() + QStringLiteral("/data")}) {
            struct stat entry {};
            QCOMPARE(stat(QFile::encodeName(path).constData(), &entry), 0);
            QCOMPARE(static_cast<int>(entry.st_mode & 0777), 0700);
        }
    }

    void neverRunsAsRoot()
    {
        const auto opened = open();
        QVERIFY(opened.ok());
        struct stat process {};
        struct stat data {};
        QCOMPARE(stat(qPrintable(QStringLiteral("/proc/%1").arg(pidIn(folder()))), &process), 0);
        QCOMPARE(stat(QFile::encodeName(folder() + QStringLiteral("/data")).constData(), &data), 0);
        QVERIFY(process.st_uid != 0);
        QCOMPARE(process.st_uid, data.st_uid);
        if (geteuid() != 0)
            QCOMPARE(process.st_uid, geteuid());
    }

    void keepsItsDataOverARestart()
    {
        {
            const auto opened = open();
            QVERIFY(opened.ok());
            (void)ask(opened.value()->address(), QStringLiteral("create table kept as select 42 as answer"));
        }
        const auto again = open();
        QVERIFY(again.ok());
        QCOMPARE(ask(again.value()->address(), QStringLiteral("select answer from kept")), QStringLiteral("42"));
    }

    void adoptsWhatADeadProgramLeftUp()
    {
        QProcess program;
        startHolder(program);
        const qint64 pid = pidIn(folder());
        QVERIFY(pid > 0);
        program.kill();
        QVERIFY(program.waitForFinished(60000));
        QVERIFY(runsIn(folder()));

        const auto opened = open();
        QVERIFY(opened.ok());
        QVERIFY(opened.value()->wasAdopted());
        QCOMPARE(pidIn(folder()), pid);
        QVERIFY(opened.value()->stop(limit).ok()); // the last one out stops it, whoever started it
        QVERIFY(!runsIn(folder()));
    }

    void leavesTheServerToOtherPrograms()
    {
        QProcess program;
        startHolder(program);
        {
            const auto opened = open();
            QVERIFY(opened.ok());
            QVERIFY(opened.value()->wasAdopted());
        }
        QVERIFY(runsIn(folder()));
        program.closeWriteChannel();
        QVERIFY(program.waitForFinished(60000));
        QVERIFY(!runsIn(folder()));
    }

    void twoAtOnceShareOneServer()
    {
        int started = 0;
        int adopted = 0;
        std::vector<std::unique_ptr<EmbeddedStore>> stores(4);
        std::vector<std::thread> threads;
        threads.reserve(stores.size());
        for (auto &store : stores)
            threads.emplace_back([&store, where = folder()] {
                if (auto opened = EmbeddedStore::open({where}, limit, fast()))
                    store = std::move(opened).value();
            });
        for (auto &thread : threads)
            thread.join();
        for (const auto &store : stores) {
            QVERIFY(store);
            (store->wasAdopted() ? adopted : started) += 1;
        }
        QCOMPARE(started, 1);
        QCOMPARE(adopted, 3);
    }

    void startsAgainAfterTheServerWasKilled()
    {
        const auto opened = open();
        QVERIFY(opened.ok());
        (void)ask(opened.value()->address(), QStringLiteral("create table kept as select 42 as answer"));
        const qint64 pid = pidIn(folder());
        QCOMPARE(kill(static_cast<pid_t>(pid), SIGKILL), 0);
        const auto again = open();
        QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(describe(again.error())));
        QVERIFY(!again.value()->wasAdopted());
        QVERIFY(pidIn(folder()) != pid);
        QCOMPARE(ask(again.value()->address(), QStringLiteral("select answer from kept")), QStringLiteral("42"));
    }

    void takesNoNoticeOfAStalePidFile()
    {
        QByteArray pidFile;
        {
            const auto opened = open();
            QVERIFY(opened.ok());
            QFile file(folder() + QStringLiteral("/data/postmaster.pid"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            pidFile = file.readAll();
        }
        // As after a crash of the machine: the file is there and its number has gone to another program, this one.
        QFile file(folder() + QStringLiteral("/data/postmaster.pid"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::number(getpid()) + pidFile.mid(pidFile.indexOf('\n')));
        file.close();
        const auto again = open();
        QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(describe(again.error())));
        QVERIFY(!again.value()->wasAdopted());
    }

    void beginsAnewAfterAnInterruptedInit()
    {
        QVERIFY(QDir().mkpath(folder() + QStringLiteral("/data.partial/base")));
        const auto opened = open();
        QVERIFY2(opened.ok(), opened.ok() ? "" : qPrintable(describe(opened.error())));
        QVERIFY(!QFileInfo::exists(folder() + QStringLiteral("/data.partial")));
    }

    void takesAFolderWithALongName()
    {
        const QString deep = folder() + QLatin1Char('/') + QString(120, QLatin1Char('x'));
        const auto opened = EmbeddedStore::open({deep}, limit, fast());
        QVERIFY2(opened.ok(), opened.ok() ? "" : qPrintable(describe(opened.error())));
        const auto address = opened.value()->address();
        QVERIFY(address.host.size() < 90);
        QCOMPARE(ask(address, QStringLiteral("select 1")), QStringLiteral("1"));
        QVERIFY(opened.value()->stop(limit).ok());
        QVERIFY(QDir(address.host).removeRecursively());
    }

    void refusesDataOfAnotherVersion()
    {
        QVERIFY(open().ok());
        QFile version(folder() + QStringLiteral("/data/PG_VERSION"));
        QVERIFY(version.open(QIODevice::WriteOnly));
        version.write("9.6\n");
        version.close();
        const auto opened = open();
        QVERIFY(!opened.ok());
        QVERIFY2(why(opened.error()).contains(QStringLiteral("made by PostgreSQL 9")),
                 qPrintable(describe(opened.error())));
    }

    void saysHowToGetAServer()
    {
        auto settings = fast();
        settings.binaries = place_->path();
        const auto opened = open(settings);
        QVERIFY(!opened.ok());
        QVERIFY(why(opened.error()).contains(QStringLiteral("apt-get install postgresql")));
        QVERIFY(!QFileInfo::exists(folder()));
    }

    void refusesAFolderWithOtherFiles()
    {
        QVERIFY(QDir().mkpath(folder()));
        QFile file(folder() + QStringLiteral("/thesis.odt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const auto opened = open();
        QVERIFY(!opened.ok());
        QVERIFY(why(opened.error()).contains(QStringLiteral("holds other files")));
        QVERIFY(QFileInfo::exists(file.fileName()));
    }

    void saysWhatTheServerDidNotLike()
    {
        auto settings = fast();
        settings.configuration << QStringLiteral("no_such_setting = 1");
        const auto opened = open(settings);
        QVERIFY(!opened.ok());
        QVERIFY2(why(opened.error()).contains(QStringLiteral("no_such_setting")), qPrintable(describe(opened.error())));
    }
};

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    if (argc == 3 && QCoreApplication::arguments().at(1) == holdArgument)
        return holdStore(QCoreApplication::arguments().at(2));
    EmbeddedStoreTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "embedded_store_test.moc"
