// SPDX-License-Identifier: Apache-2.0
#include "source_tree.h"

#include <QHash>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace outbox::architecture;

namespace {

/// What the tests' sources say: program::function, and the ids written beside each function.
struct Tests {
    QSet<QString> functions;
    QSet<QString> programs;
    QMap<QString, QSet<QString>> claims; ///< id -> program::function
};

void readFunctions(const QString &program, const SourceFile &source, Tests &tests)
{
    static const QRegularExpression function(QStringLiteral("^\\s+void (\\w+)\\(\\);?\\s*(?:\\{.*)?(?://(.*))?$"));
    static const QRegularExpression id(QStringLiteral("\\b([SPD]\\d{1,2})\\b"));
    static const QRegularExpression comment(QStringLiteral("^\\s*//(.*)$"));
    QString before;
    for (const auto &line : source.text.split(QLatin1Char('\n'))) {
        const auto match = function.match(line);
        if (match.hasMatch() && !match.captured(1).endsWith(QLatin1String("_data"))) {
            const QString name = program + QStringLiteral("::") + match.captured(1);
            tests.functions << name;
            auto ids = id.globalMatch(before + QLatin1Char(' ') + match.captured(2));
            while (ids.hasNext())
                tests.claims[ids.next().captured(1)] << name;
        }
        const auto above = comment.match(line);
        before = above.hasMatch() ? before + above.captured(1) : QString();
    }
}

const Tests &tests()
{
    static const Tests found = [] {
        static const QRegularExpression registered(QStringLiteral("outbox_\\w*test\\(\\s*(\\w+)\\s+(\\w+\\.cpp)"));
        static const QRegularExpression plain(QStringLiteral("add_test\\(NAME\\s+(\\w+)"));
        QHash<QString, SourceFile> sources;
        for (const auto &file : filesUnder({QStringLiteral("tests")}, {QStringLiteral(".cpp")}))
            sources.insert(file.path, file);
        Tests all;
        for (const auto &file : filesUnder({QStringLiteral("tests")}, {QStringLiteral("CMakeLists.txt")})) {
            auto each = registered.globalMatch(file.text);
            while (each.hasNext()) {
                const auto match = each.next();
                all.programs << match.captured(1);
                readFunctions(match.captured(1), sources.value(file.folder() + QLatin1Char('/') + match.captured(2)),
                              all);
            }
            auto others = plain.globalMatch(file.text);
            while (others.hasNext())
                all.programs << others.next().captured(1);
        }
        return all;
    }();
    return found;
}

struct Map {
    QMap<QString, QStringList> covered;
    QStringList notBuilt;
};

Map requirementMap()
{
    static const QRegularExpression row(QStringLiteral("^\\| ([SPD]\\d{1,2}) \\| (.*) \\|$"));
    Map map;
    QString section;
    for (const auto &file : filesUnder({QStringLiteral("tests")}, {QStringLiteral("requirements.md")}))
        for (const auto &line : file.text.split(QLatin1Char('\n'))) {
            if (line.startsWith(QLatin1String("## ")))
                section = line.mid(3).trimmed();
            const auto match = row.match(line);
            if (!match.hasMatch())
                continue;
            if (section == QLatin1String("Not built yet")) {
                map.notBuilt << match.captured(1);
                continue;
            }
            for (const auto &name : match.captured(2).split(QLatin1Char(',')))
                map.covered[match.captured(1)] << name.trimmed().remove(QLatin1Char('`'));
        }
    return map;
}

QStringList allIds()
{
    QStringList ids;
    for (int i = 1; i <= 24; ++i)
        ids << QStringLiteral("S%1").arg(i);
    for (int i = 1; i <= 18; ++i)
        ids << QStringLiteral("P%1").arg(i);
    for (int i = 1; i <= 6; ++i)
        ids << QStringLiteral("D%1").arg(i);
    return ids;
}

} // namespace

/// tests/requirements.md is complete and true.
class RequirementsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRequirementHasItsPlace()
    {
        const Map map = requirementMap();
        QStringList problems;
        for (const auto &id : allIds()) {
            const auto places = map.notBuilt.count(id) + (map.covered.contains(id) ? 1 : 0);
            if (places != 1)
                problems << QStringLiteral("%1 stands in the map %2 times; once is right").arg(id).arg(places);
        }
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }

    void everyNamedTestExists()
    {
        QVERIFY(tests().functions.size() > 20);
        QStringList problems;
        const Map map = requirementMap();
        for (auto it = map.covered.begin(); it != map.covered.end(); ++it)
            for (const auto &name : it.value())
                if (!tests().functions.contains(name) && !tests().programs.contains(name))
                    problems << QStringLiteral("%1 names %2, which is no test").arg(it.key(), name);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }

    void mapAndSourcesSayTheSame()
    {
        QStringList problems;
        const Map map = requirementMap();
        for (const auto &id : allIds()) {
            const auto named = map.covered.value(id);
            for (const auto &name : tests().claims.value(id))
                if (!named.contains(name))
                    problems << QStringLiteral("%1: %2 says it shows it; the map does not").arg(id, name);
            for (const auto &name : named)
                if (name.contains(QLatin1String("::")) && !tests().claims.value(id).contains(name))
                    problems << QStringLiteral("%1: the map names %2, whose source does not say so").arg(id, name);
        }
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }
};

QTEST_GUILESS_MAIN(RequirementsTest)

#include "requirements_test.moc"
