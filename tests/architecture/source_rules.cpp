// SPDX-License-Identifier: Apache-2.0
#include "source_rules.h"

#include <QRegularExpression>

namespace outbox::architecture {

namespace {

QList<Finding> matches(const QString &text, const QRegularExpression &pattern, const QString &what)
{
    QList<Finding> found;
    auto each = pattern.globalMatch(text);
    while (each.hasNext()) {
        const auto match = each.next();
        found << Finding{lineOf(text, match.capturedStart()),
                         QStringLiteral("%1 (%2)").arg(what, match.captured(0).trimmed())};
    }
    return found;
}

/// The arguments of a call, cut at its top commas; `open` is the place of its bracket.
QStringList argumentsAt(const QString &code, qsizetype open)
{
    QStringList arguments{QString()};
    int depth = 0;
    for (qsizetype i = open; i < code.size(); ++i) {
        const QChar c = code[i];
        if (c == QLatin1Char('(') || c == QLatin1Char('[') || c == QLatin1Char('{'))
            ++depth;
        if (c == QLatin1Char(')') || c == QLatin1Char(']') || c == QLatin1Char('}'))
            --depth;
        if (depth == 0)
            break;
        if (depth == 1 && c == QLatin1Char(','))
            arguments << QString();
        else if (i != open)
            arguments.last() += c;
    }
    return arguments;
}

} // namespace

std::optional<QString> licenceProblem(const SourceFile &file)
{
    static const QStringList gpl{QStringLiteral("app"), QStringLiteral("ui"), QStringLiteral("resources"),
                                 QStringLiteral("translations")};
    static const QRegularExpression line(QStringLiteral("SPDX-License-Identifier: (\\S+)"));
    const QString wanted = gpl.contains(file.top()) ? QStringLiteral("GPL-3.0-or-later") : QStringLiteral("Apache-2.0");
    const auto match = line.match(file.text.section(QLatin1Char('\n'), 0, 2));
    if (!match.hasMatch())
        return QStringLiteral("no SPDX-License-Identifier in its first lines");
    if (match.captured(1) != wanted)
        return QStringLiteral("its licence is %1, and %2/ has %3").arg(match.captured(1), file.top(), wanted);
    return std::nullopt;
}

QList<Finding> translatedTexts(const SourceFile &file)
{
    static const QRegularExpression pattern(
        QStringLiteral("(\\btr|QCoreApplication::translate|QT_TR_NOOP|QT_TRANSLATE_NOOP|qtTrId)\\s*\\("));
    return matches(withoutComments(file.text, Texts::emptied), pattern,
                   QStringLiteral("words for people belong into ui and app"));
}

QList<Finding> sqlTexts(const SourceFile &file)
{
    static const QRegularExpression pattern(
        QStringLiteral("^\\s*(select\\b.*\\bfrom\\b|select\\s+(\\d+|[a-z_]+[.(])|insert\\s+into\\s|delete\\s+from\\s|"
                       "update\\s+[\\w.]+\\s+set\\s|with\\s+\\w+\\s+as\\s*\\(|truncate\\s+(table\\s)?\\w|"
                       "(create|alter|drop)\\s+(table|schema|index|role|database|function|type|sequence)\\s|"
                       "(?-i:listen|notify|unlisten)\\s+\\w+;?$|set\\s+(local|session|time)\\s|begin;?$|commit;?$|"
                       "rollback;?$|grant\\s+\\w+\\s+(on|to)\\s|copy\\s+[\\w.]+\\s+(from|to)\\s)"),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    QList<Finding> found;
    for (const auto &text : quotedTexts(file.text))
        if (pattern.match(text).hasMatch())
            found << Finding{lineOf(file.text, file.text.indexOf(text.section(QLatin1Char('\n'), 0, 0).left(12))),
                             QStringLiteral("SQL belongs into engine/store/sql (%1)").arg(text.simplified().left(40))};
    return found;
}

QList<Finding> contextlessConnects(const SourceFile &file)
{
    static const QRegularExpression call(QStringLiteral("\\bconnect\\s*\\("));
    const QString code = withoutComments(file.text, Texts::emptied);
    QList<Finding> found;
    auto each = call.globalMatch(code);
    while (each.hasNext()) {
        const auto match = each.next();
        const auto arguments = argumentsAt(code, match.capturedEnd() - 1);
        if (arguments.size() == 3 && arguments.at(2).trimmed().startsWith(QLatin1Char('[')))
            found << Finding{lineOf(code, match.capturedStart()),
                             QStringLiteral("a lambda without a context object outlives what it uses")};
    }
    return found;
}

QList<Finding> sleeps(const SourceFile &file)
{
    static const QRegularExpression pattern(
        QStringLiteral("\\b(qWait|qSleep|sleep_for|sleep_until|msleep|usleep|nanosleep|sleep)\\s*\\("));
    return matches(withoutComments(file.text, Texts::emptied), pattern,
                   QStringLiteral("a test waits on a signal, never on a clock"));
}

QList<Finding> leftForLater(const SourceFile &file)
{
    static const QRegularExpression pattern(QStringLiteral("\\b(TO"
                                                           "DO|FIX"
                                                           "ME|X"
                                                           "XX)\\b"));
    return matches(file.text, pattern, QStringLiteral("finish it or leave it out"));
}

QList<Finding> placesOutside(const SourceFile &file)
{
    static const QRegularExpression pattern(QStringLiteral("(?<![\\w./-])(/wo"
                                                           "rk/|\\.\\./sha"
                                                           "red|shared/des"
                                                           "ign)"));
    return matches(file.text, pattern, QStringLiteral("this place is not part of the project"));
}

} // namespace outbox::architecture
