// SPDX-License-Identifier: Apache-2.0
#include "directions.h"

#include <QHash>
#include <QStringList>

namespace outbox::architecture {

namespace {

struct Rule {
    QStringList maySee; ///< besides itself
    QString reason;     ///< said about everything else
};

QStringList list(const char *names) { return QString::fromLatin1(names).split(QLatin1Char(' '), Qt::SkipEmptyParts); }

const QHash<QString, Rule> &engineRules()
{
    static const QHash<QString, Rule> rules{
        {QStringLiteral("base"), {{}, QStringLiteral("base knows no word of the outbox, so it sees no other room")}},
        {QStringLiteral("domain"),
         {list("base"), QStringLiteral("domain is pure rules without I/O; it sees only base")}},
        {QStringLiteral("message"), {list("domain base"), QStringLiteral("a reader decodes and nothing else")}},
        {QStringLiteral("delivery"),
         {list("domain base"), QStringLiteral("the port for destinations has no store in sight")}},
        {QStringLiteral("destination"),
         {list("delivery domain base"),
          QStringLiteral("a destination never sees the store or who calls it: no network inside a transaction")}},
        {QStringLiteral("store"),
         {list("domain base"), QStringLiteral("the store is the bottom: rows and statements, no user of them")}},
        {QStringLiteral("writer"),
         {list("store domain base"), QStringLiteral("an application links the writer alone to stage messages")}},
        {QStringLiteral("dispatch"),
         {list("delivery message store telemetry domain base"),
          QStringLiteral("dispatch sees ports, never a concrete destination, and nothing points up")}},
        {QStringLiteral("process"),
         {list("store writer domain base"), QStringLiteral("a process commits through the store, nothing points up")}},
        {QStringLiteral("maintenance"),
         {list("store telemetry domain base"), QStringLiteral("a chore works on the store alone")}},
        {QStringLiteral("telemetry"),
         {list("store domain base"), QStringLiteral("telemetry measures; it steers nobody")}},
        {QStringLiteral("operations"),
         {list("api store domain base"), QStringLiteral("an operator's question is answered by the store alone")}},
        {QStringLiteral("api"),
         {list("domain base"), QStringLiteral("the api is what ui may see: values and calls, no machinery behind")}},
        {QStringLiteral("runtime"),
         {list("api operations dispatch maintenance telemetry process writer store delivery message domain base"),
          QStringLiteral("runtime owns services and threads; it knows destinations only as a catalogue of ports")}},
    };
    return rules;
}

const QStringList &engineForUi()
{
    static const QStringList rooms = list("api domain base");
    return rooms;
}

std::optional<QString> whyUiForbidden(const Room &from, const Room &to)
{
    if (from.name == QLatin1String("models") && list("pages shell dialogs widgets").contains(to.name))
        return QStringLiteral("a model knows no widget and no page, so that it can be tested without them");
    if (from.name == QLatin1String("pages") && to.name == QLatin1String("shell"))
        return QStringLiteral("the shell knows the pages' catalogue; a page does not know its window");
    return std::nullopt;
}

} // namespace

bool isKnownEngineRoom(const QString &name) { return engineRules().contains(name); }

std::optional<QString> whyForbidden(const Room &from, const Room &to)
{
    if (from.top == QLatin1String("app") || from.top == QLatin1String("tests"))
        return std::nullopt; // the composition root knows everything, and tests look everywhere
    if (to.top == QLatin1String("app"))
        return QStringLiteral("app puts everything together; nothing points up to it");
    if (to.top == QLatin1String("tests"))
        return QStringLiteral("what people run holds nothing of the tests");
    if (from.top == QLatin1String("ui")) {
        if (to.top == QLatin1String("engine") && !engineForUi().contains(to.name))
            return QStringLiteral("ui sees the engine's api, domain and base and no other room, so that no page can "
                                  "wait for a database");
        return to.top == QLatin1String("ui") ? whyUiForbidden(from, to) : std::nullopt;
    }
    if (from.top != QLatin1String("engine"))
        return std::nullopt;
    if (to.top == QLatin1String("ui"))
        return QStringLiteral("the engine runs with no window");
    const auto rule = engineRules().value(from.name);
    if (from.name == to.name || rule.maySee.contains(to.name))
        return std::nullopt;
    return rule.reason;
}

std::optional<QString> whyQtForbidden(const Room &from, const QString &module)
{
    if (from.top == QLatin1String("engine") && list("QtWidgets QtGui QtCharts QtSvg QtQml QtQuick").contains(module))
        return QStringLiteral("the engine runs with no window: no Widgets, no Gui, no Charts");
    const bool hasSql = from.top == QLatin1String("engine") &&
                        (from.name == QLatin1String("store") || from.name == QLatin1String("writer"));
    if (module == QLatin1String("QtSql") && from.top != QLatin1String("tests") && !hasSql)
        return QStringLiteral("only engine/store and engine/writer speak QtSql");
    if (from.top == QLatin1String("ui") && module == QLatin1String("QtNetwork"))
        return QStringLiteral("the window never waits for a network");
    return std::nullopt;
}

} // namespace outbox::architecture
