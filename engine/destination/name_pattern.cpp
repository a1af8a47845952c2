// SPDX-License-Identifier: Apache-2.0
#include "destination/name_pattern.h"

#include <QHash>

namespace outbox::destination {

NamePattern::NamePattern() : parts_{Part{Field::type}} {}

Result<NamePattern, QString> NamePattern::parse(const QString &pattern)
{
    static const QHash<QString, Field> fields{{QStringLiteral("type"), Field::type},
                                              {QStringLiteral("version"), Field::version},
                                              {QStringLiteral("tenant"), Field::tenant},
                                              {QStringLiteral("kind"), Field::kind}};
    std::vector<Part> parts;
    qsizetype from = 0;
    while (from < pattern.size()) {
        const qsizetype open = pattern.indexOf(u'{', from);
        const QString fixed = pattern.mid(from, open < 0 ? -1 : open - from);
        if (fixed.contains(u'}'))
            return QStringLiteral("a '}' without a '{' before it");
        if (!fixed.isEmpty())
            parts.emplace_back(fixed.toUtf8());
        if (open < 0)
            break;
        const qsizetype close = pattern.indexOf(u'}', open);
        if (close < 0)
            return QStringLiteral("a '{' without a '}' behind it");
        const QString name = pattern.mid(open + 1, close - open - 1);
        const auto field = fields.constFind(name);
        if (field == fields.constEnd())
            return QStringLiteral("unknown placeholder '{%1}'; expected {type}, {version}, {tenant} or {kind}")
                .arg(name);
        parts.emplace_back(*field);
        from = close + 1;
    }
    return NamePattern(std::move(parts));
}

QByteArray NamePattern::text(Field field, const Message &message)
{
    switch (field) {
    case Field::type: return message.type.value().toUtf8();
    case Field::version: return QByteArray::number(message.version.value());
    case Field::tenant: return message.tenant.toUtf8();
    case Field::kind: {
        const auto name = kindName(message.kind);
        return {name.data(), static_cast<qsizetype>(name.size())};
    }
    }
    return {};
}

QByteArray NamePattern::of(const Message &message) const
{
    QByteArray key;
    for (const auto &part : parts_)
        key += std::visit(
            overload{[](const QByteArray &fixed) { return fixed; }, [&](Field field) { return text(field, message); }},
            part);
    return key;
}

} // namespace outbox::destination
