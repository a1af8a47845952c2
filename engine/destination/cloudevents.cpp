// SPDX-License-Identifier: Apache-2.0
#include "destination/cloudevents.h"

#include <QRegularExpression>

#include <algorithm>
#include <cstdio>

namespace outbox::destination {

namespace {

/// Names that a custom header must not take, whether this message uses them or not.
constexpr std::string_view reserved[] = {"specversion",   "id",          "source",          "type",    "time",
                                         "subject",       "dataschema",  "datacontenttype", "data",    "database64",
                                         "schemaversion", "messagekind", "eventrecord",     "tenantid"};

QByteArray normalised(const QString &name)
{
    QByteArray kept;
    for (const QChar each : name.toLower())
        if ((each >= u'a' && each <= u'z') || (each >= u'0' && each <= u'9'))
            kept.append(each.toLatin1());
    return kept;
}

bool taken(const QByteArray &name, const std::vector<EventAttribute> &attributes)
{
    const std::string_view text{name.constData(), static_cast<std::size_t>(name.size())};
    return std::ranges::find(reserved, text) != std::end(reserved) ||
           std::ranges::any_of(attributes, [&](const EventAttribute &each) { return each.name == name; });
}

QByteArray extensionName(const QString &header, const std::vector<EventAttribute> &attributes)
{
    QByteArray name = normalised(header);
    if (!name.isEmpty() && !taken(name, attributes))
        return name;
    const QByteArray stem = "header" + name;
    name = stem;
    for (int i = 2; taken(name, attributes); ++i)
        name = stem + QByteArray::number(i);
    return name;
}

} // namespace

std::vector<EventAttribute> eventAttributes(const Message &message, const QByteArray &source)
{
    std::vector<EventAttribute> all;
    all.reserve(9 + static_cast<std::size_t>(message.headers.size()));
    all.push_back({QByteArrayLiteral("specversion"), QByteArrayLiteral("1.0")});
    all.push_back({QByteArrayLiteral("id"), message.id.value().toByteArray(QUuid::WithoutBraces)});
    all.push_back({QByteArrayLiteral("source"), source});
    all.push_back({QByteArrayLiteral("type"), message.type.value().toUtf8()});
    all.push_back({QByteArrayLiteral("time"), rfc3339(message.occurredAt)});
    all.push_back({QByteArrayLiteral("schemaversion"), QByteArray::number(message.version.value())});
    const auto kind = kindName(message.kind);
    all.push_back({QByteArrayLiteral("messagekind"), QByteArray(kind.data(), static_cast<qsizetype>(kind.size()))});
    if (const auto *event = std::get_if<IntegrationEvent>(&message.kind); event && !event->eventRecord.isEmpty())
        all.push_back({QByteArrayLiteral("eventrecord"), event->eventRecord.toUtf8()});
    if (!message.tenant.isEmpty())
        all.push_back({QByteArrayLiteral("tenantid"), message.tenant.toUtf8()});
    for (const auto &[name, value] : message.headers)
        all.push_back({extensionName(name, all), value.toUtf8()});
    return all;
}

std::vector<EventAttribute> eventHeaders(const Message &message, const QByteArray &source)
{
    auto headers = eventAttributes(message, source);
    for (auto &each : headers)
        each = {"ce-" + each.name, percentEncoded(each.value)};
    return headers;
}

std::vector<EventAttribute> traceContext(const Message &message)
{
    static const QRegularExpression parentForm(
        QStringLiteral("\\A(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}\\z"));
    static const QRegularExpression stateForm(QStringLiteral("\\A[\\x20-\\x7e]{1,512}\\z"));
    const auto find = [&](const QString &name, const QRegularExpression &form) {
        for (const auto &[each, value] : message.headers)
            if (each.compare(name, Qt::CaseInsensitive) == 0 && form.match(value).hasMatch())
                return value.toLatin1();
        return QByteArray();
    };
    std::vector<EventAttribute> context;
    const QByteArray parent = find(QStringLiteral("traceparent"), parentForm);
    if (parent.isEmpty())
        return context;
    context.push_back({QByteArrayLiteral("traceparent"), parent});
    if (const QByteArray state = find(QStringLiteral("tracestate"), stateForm); !state.isEmpty())
        context.push_back({QByteArrayLiteral("tracestate"), state});
    return context;
}

QByteArray percentEncoded(const QByteArray &utf8)
{
    static constexpr char hex[] = "0123456789ABCDEF";
    QByteArray encoded;
    encoded.reserve(utf8.size());
    for (const char each : utf8) {
        const auto byte = static_cast<unsigned char>(each);
        if (byte > 0x20 && byte < 0x7f && byte != '"' && byte != '%') {
            encoded.append(each);
            continue;
        }
        encoded.append('%').append(hex[byte >> 4U]).append(hex[byte & 0xfU]);
    }
    return encoded;
}

QByteArray rfc3339(Timestamp at)
{
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{at - day};
    char text[48];
    const int size =
        std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
                      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                      static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                      static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
    return {text, size};
}

} // namespace outbox::destination
