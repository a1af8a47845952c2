// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/destinations.h"

#include "settings/transports.h"

#include <QRegularExpression>
#include <QUrl>

#include <array>

namespace outbox::app {

namespace {

using Transport = decltype(DestinationSettings::transport);

struct Reader {
    QString key;
    Transport (*read)(const Section &);
};

// One line a transport.
const std::array<Reader, 4> &readers()
{
    static const std::array<Reader, 4> all{{
        {QStringLiteral("amqp"), [](const Section &from) -> Transport { return readAmqp(from); }},
        {QStringLiteral("http"), [](const Section &from) -> Transport { return readHttp(from); }},
        {QStringLiteral("kafka"), [](const Section &from) -> Transport { return readKafka(from); }},
        {QStringLiteral("nats"), [](const Section &from) -> Transport { return readNats(from); }},
    }};
    return all;
}

QStringList transportKeys()
{
    QStringList keys;
    for (const auto &each : readers())
        keys << each.key;
    return keys;
}

Transport readTransport(const Section &transport)
{
    for (const auto &each : readers())
        if (transport.has(each.key))
            return each.read(transport);
    return destination::HttpConfig{};
}

} // namespace

QString readSource(const Section &section, const QString &otherwise)
{
    const auto key = QStringLiteral("source");
    const auto source = section.text(key);
    if (!source)
        return otherwise;
    if (!source->isEmpty() && QUrl(*source, QUrl::StrictMode).isValid())
        return *source;
    section.fail(key, QStringLiteral("expected a URI reference such as /shop/orders, found '%1'").arg(*source));
    return otherwise;
}

destination::NamePattern readPattern(const Section &section, const QString &key,
                                     const destination::NamePattern &otherwise)
{
    const auto text = section.text(key);
    if (!text)
        return otherwise;
    auto pattern = destination::NamePattern::parse(*text);
    if (pattern)
        return std::move(pattern).value();
    section.fail(key, pattern.error());
    return otherwise;
}

QList<DestinationSettings> readDestinations(const Section &section)
{
    static const QRegularExpression name(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._-]{0,62}\\z"));
    QList<DestinationSettings> all;
    for (const auto &key : section.keys()) {
        if (!name.match(key).hasMatch())
            section.reading().fail(section.mark(key), section.path(key),
                                   QStringLiteral("expected a name of at most 63 letters, digits, dots and dashes"));
        const auto before = section.reading().errors.size();
        const Section transport = section.section(key, transportKeys());
        if (transport.keys().size() == 1) {
            all.append({DestinationName(key), readTransport(transport)});
            continue;
        }
        if (section.reading().errors.size() == before)
            section.reading().fail(section.mark(key), section.path(key),
                                   QStringLiteral("expected exactly one transport: amqp, http, kafka or nats"));
        all.append({DestinationName(key), destination::HttpConfig{}}); // so that its routes are not reported too
    }
    return all;
}

} // namespace outbox::app
