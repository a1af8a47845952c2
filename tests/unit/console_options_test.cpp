// SPDX-License-Identifier: Apache-2.0
#include "console/options.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace outbox;

/// Which store the window opens.
class ConsoleOptionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void storeComesFrom_data();
    void storeComesFrom();
    void whatIsNotUnderstoodIsNamed_data();
    void whatIsNotUnderstoodIsNamed();

private:
    QTemporaryDir folder_;
};

void ConsoleOptionsTest::initTestCase()
{
    qputenv("XDG_DATA_HOME", "/data");
    QFile file(folder_.filePath(QStringLiteral("outbox.yaml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("store: postgresql:///of_the_file\n");
}

void ConsoleOptionsTest::storeComesFrom_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("store");
    const auto row = [](const char *name, const char *arguments, const char *variable, const char *store) {
        QTest::newRow(name) << QString::fromLatin1(arguments) << QString::fromLatin1(variable)
                            << QString::fromLatin1(store);
    };
    row("nothing said", "", "", "embedded @ /data/outbox/store");
    row("the file", "--config FILE", "", "of_the_file");
    row("the variable before the file", "--config FILE", "postgresql:///of_the_variable", "of_the_variable");
    row("the option before both", "--config FILE --store postgresql:///given", "postgresql:///of_the_variable",
        "given");
    // What a demo stages cannot be taken out of a store again, so it takes none that it was not told to take.
    row("a demo", "--demo", "", "embedded @ /data/outbox/demo");
    row("a demo and the file", "--demo --config FILE", "", "embedded @ /data/outbox/demo");
    row("a demo and the variable", "--demo", "postgresql:///of_the_variable", "embedded @ /data/outbox/demo");
    row("a demo and the option", "--demo --store postgresql:///given", "postgresql:///of_the_variable", "given");
}

void ConsoleOptionsTest::storeComesFrom()
{
    QFETCH(QString, arguments);
    QFETCH(const QString, variable);
    QFETCH(const QString, store);
    arguments.replace(QStringLiteral("FILE"), folder_.filePath(QStringLiteral("outbox.yaml")));
    qputenv("OUTBOX_STORE", variable.toUtf8());
    const auto options =
        console::readOptions(QStringList{QStringLiteral("outbox-console")} + arguments.split(u' ', Qt::SkipEmptyParts));
    qunsetenv("OUTBOX_STORE");
    QVERIFY2(options.ok(), options ? "" : qPrintable(options.error().text));
    const QString found = store::displayName(options->store);
    QVERIFY2(found.startsWith(store), qPrintable(found));
}

void ConsoleOptionsTest::whatIsNotUnderstoodIsNamed_data()
{
    QTest::addColumn<QString>("argument");
    QTest::newRow("option") << QStringLiteral("--fly");
    QTest::newRow("argument") << QStringLiteral("store");
    QTest::newRow("theme") << QStringLiteral("--theme=red");
    QTest::newRow("store") << QStringLiteral("--store=mysql");
}

void ConsoleOptionsTest::whatIsNotUnderstoodIsNamed()
{
    QFETCH(const QString, argument);
    const auto options = console::readOptions({QStringLiteral("outbox-console"), argument});
    QVERIFY(!options);
    QCOMPARE(options.error().code, 2);
    const QString word = argument.mid(argument.indexOf(u'=') + 1).remove(QStringLiteral("--"));
    QVERIFY2(options.error().text.contains(word), qPrintable(options.error().text));
}

QTEST_GUILESS_MAIN(ConsoleOptionsTest)
#include "console_options_test.moc"
