// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <thread>

using namespace outbox;

/// One structured line for one event, whatever its fields hold.
class LogTest : public QObject {
    Q_OBJECT

    static QString textOf(std::initializer_list<log::Field> fields)
    {
        log::Listener listener;
        QString text;
        connect(
            &listener, &log::Listener::written, &listener, [&](const log::Line &line) { text = line.text; },
            Qt::DirectConnection);
        log::info("event", fields);
        return text;
    }

private Q_SLOTS:
    void initTestCase() { log::quiet(); }
    void cleanupTestCase() { log::toStandardError(log::Level::info); }

    void writesPlainFieldsPlainly()
    {
        QCOMPARE(textOf({{"lane", 7}, {"name", "berlin-1"}, {"open", true}}),
                 QStringLiteral("event lane=7 name=berlin-1 open=true"));
    }

    void quotesWhatWouldBeTwoWords()
    {
        QCOMPARE(textOf({{"why", "no route"}}), QStringLiteral("event why=\"no route\""));
        QCOMPARE(textOf({{"why", ""}}), QStringLiteral("event why=\"\""));
        QCOMPARE(textOf({{"why", "a=b"}}), QStringLiteral("event why=\"a=b\""));
        QCOMPARE(textOf({{"why", "say \"no\" \\ yes"}}), QStringLiteral("event why=\"say \\\"no\\\" \\\\ yes\""));
        QCOMPARE(textOf({{"why", QString::fromUtf8("grün")}}), QString::fromUtf8("event why=grün"));
    }

    void staysOneLine()
    {
        const QString text = textOf({{"why", "first\nsecond\r\x1b[31m"}});
        QVERIFY(!text.contains(QLatin1Char('\n')));
        QVERIFY(!text.contains(QLatin1Char('\r')));
        QVERIFY(!text.contains(QChar(0x1b)));
        QVERIFY(text.contains(QStringLiteral("first\\nsecond")));
    }

    void tellsListenersInTheirThread()
    {
        log::Listener listener;
        QSignalSpy spy(&listener, &log::Listener::written);
        QThread *seen = nullptr;
        connect(&listener, &log::Listener::written, this, [&] { seen = QThread::currentThread(); });
        std::thread writer([] { log::warning("from_elsewhere", {{"n", 1}}); });
        writer.join();
        QTRY_VERIFY(seen != nullptr);
        QCOMPARE(seen, QThread::currentThread());
        const auto line = spy.takeFirst().takeFirst().value<log::Line>();
        QCOMPARE(line.event, QStringLiteral("from_elsewhere"));
        QVERIFY(line.level == log::Level::warning);
    }
};

QTEST_GUILESS_MAIN(LogTest)

#include "log_test.moc"
