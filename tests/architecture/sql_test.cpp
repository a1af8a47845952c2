// SPDX-License-Identifier: Apache-2.0
#include "source_tree.h"

#include <QRegularExpression>
#include <QTest>

using namespace outbox::architecture;

namespace {

QList<SourceFile> statements() { return filesUnder({QStringLiteral("engine/store/sql")}, {QStringLiteral(".sql")}); }

QString headOf(const SourceFile &file)
{
    QString head;
    for (const auto &line : file.text.split(QLatin1Char('\n'))) {
        if (!line.startsWith(QLatin1String("--")))
            break;
        if (!line.contains(QLatin1String("SPDX-")))
            head += line.mid(2).trimmed() + QLatin1Char('\n');
    }
    return head;
}

} // namespace

/// Statements are files that can be found, read and reviewed.
class SqlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStatementSaysWhatItDoes()
    {
        QStringList problems;
        QVERIFY(!statements().isEmpty());
        for (const auto &file : statements()) {
            const QString head = headOf(file);
            for (const auto &word :
                 {QStringLiteral("Purpose"), QStringLiteral("Locks"), QStringLiteral("Index"), QStringLiteral("Rows")})
                if (!head.contains(word, Qt::CaseInsensitive))
                    problems << QStringLiteral("%1: its head does not speak of \"%2\"").arg(file.path, word);
        }
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }

    void everyStatementIsUsed()
    {
        QStringList used;
        for (const auto &file : filesUnder({QStringLiteral("engine"), QStringLiteral("app")},
                                           {QStringLiteral(".cpp"), QStringLiteral(".h")}))
            used << quotedTexts(file.text);
        QStringList problems;
        for (const auto &file : statements())
            if (!used.contains(file.name().chopped(4)))
                problems << file.path + QStringLiteral(": no code runs it");
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }

    void migrationsAreNumberedWithoutGaps()
    {
        static const QRegularExpression name(QStringLiteral("^(\\d{4})_[a-z_]+\\.sql$"));
        int expected = 1;
        for (const auto &file : filesUnder({QStringLiteral("engine/store/migrations")}, {QStringLiteral(".sql")})) {
            const auto match = name.match(file.name());
            QVERIFY2(match.hasMatch(), qPrintable(file.path));
            QCOMPARE(match.captured(1).toInt(), expected++);
        }
        QVERIFY(expected > 1);
    }

    void definerFunctionsPinTheirSearchPath()
    {
        static const QRegularExpression function(
            QStringLiteral("create (or replace )?function\\s+([\\w.]+).*?\\bas \\$"),
            QRegularExpression::DotMatchesEverythingOption | QRegularExpression::CaseInsensitiveOption);
        QStringList problems;
        int definers = 0;
        for (const auto &file : filesUnder({QStringLiteral("engine/store/migrations")}, {QStringLiteral(".sql")})) {
            auto each = function.globalMatch(file.text);
            while (each.hasNext()) {
                const auto match = each.next();
                if (!match.captured(0).contains(QLatin1String("security definer"), Qt::CaseInsensitive))
                    continue;
                ++definers;
                if (!match.captured(0).contains(QLatin1String("search_path"), Qt::CaseInsensitive))
                    problems << QStringLiteral("%1: %2 pins no search_path").arg(file.path, match.captured(2));
            }
        }
        QVERIFY(definers > 0);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }
};

QTEST_GUILESS_MAIN(SqlTest)

#include "sql_test.moc"
