// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/records/record_text.h"

#include "text/words.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace outbox::ui {

namespace {

struct Facts {
    Q_DECLARE_TR_FUNCTIONS(outbox::ui::RecordView)
};

QString latin(std::string_view name) { return QString::fromLatin1(name.data(), qsizetype(name.size())); }

QString iso(Timestamp at)
{
    return QDateTime::fromMSecsSinceEpoch(std::chrono::floor<milliseconds>(at).time_since_epoch().count(), Qt::UTC)
        .toString(Qt::ISODateWithMs);
}

QByteArray quoted(const QString &text)
{
    // A document needs an array or an object; the text is between its brackets.
    return QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact).chopped(1).mid(1);
}

} // namespace

QString recordFacts(const api::RecordDetail &record)
{
    QStringList facts{text::kindText(record.message.kind)};
    if (const auto *event = std::get_if<IntegrationEvent>(&record.message.kind))
        facts.append(Facts::tr("of event %1").arg(event->eventRecord));
    if (!record.message.tenant.isEmpty())
        facts.append(Facts::tr("tenant %1").arg(record.message.tenant));
    facts.append(record.destination.isEmpty() ? Facts::tr("no route yet") : Facts::tr("to %1").arg(record.destination));
    facts.append(Facts::tr("staged %1").arg(text::clock(record.stagedAt)));
    if (!record.worker.isEmpty())
        facts.append(Facts::tr("worker %1").arg(record.worker));
    return facts.join(QStringLiteral(" · "));
}

QByteArray headersAsJson(const QList<Header> &headers)
{
    QByteArray json = "{";
    for (const auto &[name, value] : headers) {
        if (json.size() > 1)
            json += ',';
        json += quoted(name) + ':' + quoted(value);
    }
    return json + '}';
}

QString recordAsJson(const api::RecordDetail &record)
{
    QJsonArray attempts;
    for (const api::AttemptRow &attempt : record.attempts)
        attempts.append(QJsonObject{{QStringLiteral("number"), attempt.number},
                                    {QStringLiteral("started_at"), iso(attempt.startedAt)},
                                    {QStringLiteral("ended_at"), iso(attempt.endedAt)},
                                    {QStringLiteral("worker"), attempt.worker},
                                    {QStringLiteral("cause"), latin(causeName(attempt.cause))},
                                    {QStringLiteral("summary"), attempt.summary}});
    QJsonArray replays;
    for (const api::ReplayRow &replay : record.replays)
        replays.append(QJsonObject{{QStringLiteral("at"), iso(replay.at)},
                                   {QStringLiteral("actor"), replay.actor},
                                   {QStringLiteral("reason"), replay.reason},
                                   {QStringLiteral("cause"), latin(causeName(replay.cause))},
                                   {QStringLiteral("failure"), replay.failure}});
    const QJsonObject rest{{QStringLiteral("id"), toText(record.message.id)},
                           {QStringLiteral("kind"), latin(kindName(record.message.kind))},
                           {QStringLiteral("type"), record.message.type.value()},
                           {QStringLiteral("schema_version"), record.message.version.value()},
                           {QStringLiteral("occurred_at"), iso(record.message.occurredAt)},
                           {QStringLiteral("staged_at"), iso(record.stagedAt)},
                           {QStringLiteral("tenant"), record.message.tenant},
                           {QStringLiteral("destination"), record.destination},
                           {QStringLiteral("state"), latin(stateName(kindOf(record.state)))},
                           {QStringLiteral("attempts"), attempts},
                           {QStringLiteral("replays"), replays}};
    QByteArray json = QJsonDocument(rest).toJson(QJsonDocument::Compact);
    json.chop(1);
    json += ",\"headers\":" + headersAsJson(record.message.headers) + ",\"payload\":" + record.message.payload + '}';
    return QString::fromUtf8(json);
}

} // namespace outbox::ui
