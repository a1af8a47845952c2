// SPDX-License-Identifier: Apache-2.0
#include "source_rules.h"
#include "source_tree.h"

#include <QSet>
#include <QTest>

using namespace outbox::architecture;

namespace {

const QStringList codeEndings{QStringLiteral(".h"), QStringLiteral(".cpp")};
const QStringList everywhere{QStringLiteral("engine"), QStringLiteral("ui"), QStringLiteral("app"),
                             QStringLiteral("tests")};
constexpr int longestFile = 400;

template <typename Rule>
QStringList collect(const QList<SourceFile> &files, Rule &&rule)
{
    QStringList problems;
    for (const auto &file : files)
        for (const auto &found : rule(file))
            problems << QStringLiteral("%1:%2: %3").arg(file.path).arg(found.line).arg(found.what);
    return problems;
}

int found(QList<Finding> (*rule)(const SourceFile &), const char *path, const char *code)
{
    return static_cast<int>(rule({QString::fromLatin1(path), QString::fromLatin1(code)}).size());
}

} // namespace

/// What every file of the house keeps to. Each rule is shown to find what it forbids.
class RulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFileNamesItsLicence()
    {
        QStringList problems;
        const QStringList endings{QStringLiteral(".h"),    QStringLiteral(".cpp"),   QStringLiteral(".sql"),
                                  QStringLiteral(".sh"),   QStringLiteral(".cmake"), QStringLiteral("CMakeLists.txt"),
                                  QStringLiteral(".yaml"), QStringLiteral(".mjs"),   QStringLiteral(".py"),
                                  QStringLiteral("/run"),  QStringLiteral(".qss")};
        for (const auto &file : filesUnder({QString()}, endings))
            if (const auto problem = licenceProblem(file))
                problems << file.path + QStringLiteral(": ") + *problem;
        QVERIFY2(problems.isEmpty(), report(problems).constData());
        QVERIFY(licenceProblem({QStringLiteral("ui/x.h"), QStringLiteral("// SPDX-License-Identifier: Apache-2.0\n")}));
        QVERIFY(licenceProblem({QStringLiteral("ui/x.h"), QStringLiteral("#pragma once\n")}));
    }

    void theEngineSpeaksNoHumanLanguage()
    {
        const auto problems = collect(filesUnder({QStringLiteral("engine")}, codeEndings), translatedTexts);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
        QCOMPARE(found(translatedTexts, "engine/x.cpp", "auto a = tr(\"Pending\");"), 1);
        QCOMPARE(found(translatedTexts, "engine/x.cpp", "auto a = str(\"tr(\"); // tr("), 0);
    }

    void sqlLivesInSqlFiles()
    {
        const auto problems = collect(
            filesUnder({QStringLiteral("engine"), QStringLiteral("ui"), QStringLiteral("app")}, codeEndings), sqlTexts);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
        QCOMPARE(found(sqlTexts, "engine/x.cpp", "q.exec(u\"select id from outbox.pending\"_qs);"), 1);
        QCOMPARE(found(sqlTexts, "engine/x.cpp", "q.exec(\"SELECT 1, \"\n  \"2 FROM t\");"), 1);
        QCOMPARE(found(sqlTexts, "engine/x.cpp", "q.exec(\"delete from t\");"), 1);
        QCOMPARE(found(sqlTexts, "engine/x.cpp", "q.exec(R\"(\n  with a as (select 1) table a)\");"), 1);
        QCOMPARE(found(sqlTexts, "engine/x.cpp", "// select id from t\nauto a = tr(\"Select a record\");"), 0);
    }

    void noConnectToALambdaWithoutContext()
    {
        const auto problems = collect(filesUnder(everywhere, codeEndings), contextlessConnects);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
        QCOMPARE(found(contextlessConnects, "ui/x.cpp", "connect(a, &A::b, [this](int x) { f(x, 1); });"), 1);
        QCOMPARE(found(contextlessConnects, "ui/x.cpp", "QObject::connect(a(1, 2),\n &A::b,\n [&] {});"), 1);
        QCOMPARE(found(contextlessConnects, "ui/x.cpp", "connect(a, &A::b, this, [this] { g(); });"), 0);
        QCOMPARE(found(contextlessConnects, "ui/x.cpp", "connect(a, &A::b, this, &B::c);"), 0);
    }

    void testsWaitOnSignals()
    {
        const auto problems = collect(filesUnder({QStringLiteral("tests")}, codeEndings), sleeps);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
        QCOMPARE(found(sleeps, "tests/x.cpp",
                       "QTest::qWait"
                       "(50);"),
                 1);
        QCOMPARE(found(sleeps, "tests/x.cpp",
                       "std::this_thread::sleep"
                       "_for(1s);"),
                 1);
        QCOMPARE(found(sleeps, "tests/x.cpp", "QTRY_VERIFY(spy.wait(5000));"), 0);
    }

    void nothingIsLeftForLater()
    {
        const auto problems = collect(
            filesUnder({QString()}, {QStringLiteral(".h"), QStringLiteral(".cpp"), QStringLiteral(".sql"),
                                     QStringLiteral(".sh"), QStringLiteral(".md"), QStringLiteral("CMakeLists.txt")}),
            leftForLater);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
        QCOMPARE(found(leftForLater, "ui/x.cpp",
                       "// TO"
                       "DO: later"),
                 1);
    }

    void nothingNamesAPlaceOutside()
    {
        const auto problems = collect(projectFiles(), placesOutside);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
        QCOMPARE(found(placesOutside, "README.md",
                       "see /wo"
                       "rk/notes"),
                 1);
        QCOMPARE(found(placesOutside, "README.md",
                       "see ../sha"
                       "red/notes"),
                 1);
        QCOMPARE(found(placesOutside, "README.md",
                       "see engine/store/README.md and https://example.org/wo"
                       "rk/"),
                 0);
    }

    void filesAreShortEnoughToRead()
    {
        QStringList problems;
        for (const auto &file : filesUnder(everywhere, codeEndings))
            if (const auto lines = file.text.count(QLatin1Char('\n')); lines > longestFile)
                problems << QStringLiteral("%1: %2 lines; %3 is the alarm").arg(file.path).arg(lines).arg(longestFile);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }

    void everyFolderWithSourcesSaysWhatLivesThere()
    {
        QSet<QString> folders;
        for (const auto &file :
             filesUnder({QString()}, {QStringLiteral(".h"), QStringLiteral(".cpp"), QStringLiteral(".sql"),
                                      QStringLiteral(".sh"), QStringLiteral(".mjs"), QStringLiteral(".ts")}))
            folders << file.folder();
        QVERIFY(folders.size() > 10);
        QStringList problems;
        for (const auto &folder : folders)
            if (!exists(folder + QStringLiteral("/README.md")))
                problems << folder + QStringLiteral(": no README.md");
        problems.sort();
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }
};

QTEST_GUILESS_MAIN(RulesTest)

#include "rules_test.moc"
