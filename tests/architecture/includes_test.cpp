// SPDX-License-Identifier: Apache-2.0
#include "directions.h"
#include "source_tree.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace outbox::architecture;

namespace {

const QStringList houses{QStringLiteral("engine"), QStringLiteral("ui"), QStringLiteral("app")};
const QStringList codeEndings{QStringLiteral(".h"), QStringLiteral(".cpp")};

Room roomOf(const QString &path)
{
    const auto parts = path.split(QLatin1Char('/'));
    return {parts.value(0), parts.size() > 2 ? parts.value(1) : QString()};
}

/// Where a quoted include leads, from the project's root; empty when nowhere.
QString resolve(const SourceFile &from, const QString &target)
{
    QStringList places{from.folder(),
                       from.top(),
                       QStringLiteral("engine"),
                       QStringLiteral("ui"),
                       QStringLiteral("app"),
                       QStringLiteral("tests"),
                       QStringLiteral("tests/support")};
    for (const auto &place : places)
        if (QString path = place + QLatin1Char('/') + target; exists(path))
            return path;
    return {};
}

QString qtModuleOf(const QString &header)
{
    static const QStringList modules =
        QDir(QStringLiteral(OUTBOX_QT_INCLUDES)).entryList({QStringLiteral("Qt*")}, QDir::Dirs);
    if (header.contains(QLatin1Char('/')))
        return modules.contains(header.section(QLatin1Char('/'), 0, 0)) ? header.section(QLatin1Char('/'), 0, 0)
                                                                        : QString();
    for (const auto &module : modules)
        if (QFileInfo::exists(QStringLiteral("%1/%2/%3").arg(QStringLiteral(OUTBOX_QT_INCLUDES), module, header)))
            return module;
    return {};
}

QString at(const SourceFile &file, const Include &include)
{
    return QStringLiteral("%1:%2 includes %3").arg(file.path).arg(include.line).arg(include.target);
}

void judge(const SourceFile &file, const Include &include, QStringList &problems)
{
    if (include.target.contains(QLatin1String("../"))) {
        problems << at(file, include) + QStringLiteral(": includes are rooted at engine/, ui/ or app/, never \"../\"");
        return;
    }
    const Room from = roomOf(file.path);
    if (const QString module = qtModuleOf(include.target); !module.isEmpty())
        if (const auto why = whyQtForbidden(from, module))
            problems << at(file, include) + QStringLiteral(" of %1: %2").arg(module, *why);
    if (!include.quoted)
        return;
    const QString path = resolve(file, include.target);
    if (path.isEmpty()) {
        if (!include.target.endsWith(QLatin1String(".moc")) && !include.target.startsWith(QLatin1String("ui_")))
            problems << at(file, include) + QStringLiteral(": there is no such file of ours; use <> for others");
        return;
    }
    if (const auto why = whyForbidden(from, roomOf(path)))
        problems << at(file, include) + QStringLiteral(": ") + *why;
}

} // namespace

/// The edges between rooms (architecture, "Direction"): link lists alone do not hold them.
class IncludesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyIncludeIsAnAllowedEdge() // D5
    {
        QStringList problems;
        const auto files = filesUnder(houses, codeEndings);
        QVERIFY(files.size() > 20);
        for (const auto &file : files)
            for (const auto &include : includesOf(file))
                judge(file, include, problems);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }

    void everyRoomOfTheEngineHasARule()
    {
        QStringList problems;
        for (const auto &file : filesUnder({QStringLiteral("engine")}, codeEndings))
            if (const auto room = roomOf(file.path); !isKnownEngineRoom(room.name))
                problems << file.path + QStringLiteral(": no rule says what this room may see");
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }

    void forbiddenEdgesAreFound_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char *name, const char *path, const char *line, const char *reason) {
            QTest::newRow(name) << QString::fromLatin1(path) << QString::fromLatin1(line)
                                << QString::fromLatin1(reason);
        };
        row("page to store", "ui/pages/x.cpp", "#include \"store/connection.h\"", "no page can");
        row("destination to store", "engine/destination/x.cpp", "#include \"store/connection.h\"",
            "never sees the store");
        row("domain to delivery", "engine/domain/x.cpp", "#include \"delivery/destination.h\"", "only base");
        row("base to domain", "engine/base/x.cpp", "#include \"domain/ids.h\"", "no other room");
        row("store to dispatch's port", "engine/store/x.cpp", "#include \"delivery/catalogue.h\"", "bottom");
        row("two dots", "engine/store/x.cpp", "#include \"../base/result.h\"", "never");
        row("widgets", "engine/api/x.cpp", "#include <QWidget>", "no window");
        row("widgets by module", "engine/api/x.cpp", "#include <QtWidgets/QWidget>", "no window");
        row("icons", "engine/api/x.cpp", "  #  include <QIcon>", "no window");
        row("sql in a page", "ui/pages/x.cpp", "#include <QSqlQuery>", "QtSql");
        row("sql in app", "app/cli/x.cpp", "#include <QSqlQuery>", "QtSql");
        row("nowhere", "engine/base/x.cpp", "#include \"base/no_such.h\"", "no such file");
    }
    void forbiddenEdgesAreFound()
    {
        QFETCH(QString, path);
        QFETCH(QString, line);
        QFETCH(QString, reason);
        QStringList problems;
        const SourceFile file{path, line};
        for (const auto &include : includesOf(file))
            judge(file, include, problems);
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems.first().contains(reason), report(problems).constData());
    }

    void allowedEdgesPass()
    {
        QStringList problems;
        const QList<SourceFile> files{
            {QStringLiteral("ui/pages/x.cpp"), QStringLiteral("#include \"api/snapshots.h\"\n#include <QWidget>")},
            {QStringLiteral("engine/store/x.cpp"), QStringLiteral("#include \"base/result.h\"\n#include <QSqlQuery>")},
            {QStringLiteral("app/x.cpp"), QStringLiteral("#include \"store/store_address.h\"\n#include <vector>")},
        };
        for (const auto &file : files)
            for (const auto &include : includesOf(file))
                judge(file, include, problems);
        QVERIFY2(problems.isEmpty(), report(problems).constData());
    }
};

QTEST_GUILESS_MAIN(IncludesTest)

#include "includes_test.moc"
