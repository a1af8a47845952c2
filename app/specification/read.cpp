// SPDX-License-Identifier: GPL-3.0-or-later
#include "specification/read.h"

#include "domain/specification/validate.h"
#include "specification/promise.h"
#include "specification/values.h"

#include <QRegularExpression>

#include <limits>

namespace outbox::app {

namespace {

const auto idKey = QStringLiteral("id");
const auto versionKey = QStringLiteral("version");
const auto statusKey = QStringLiteral("status");
const auto deciderKey = QStringLiteral("decider");
const auto decideByKey = QStringLiteral("decide_by");
const auto kindKey = QStringLiteral("kind");
const auto messagesKey = QStringLiteral("messages");
const auto destinationKey = QStringLiteral("destination");
const auto redactKey = QStringLiteral("redact");

const QStringList &keys()
{
    static const QStringList all = QStringList{idKey,   versionKey,  statusKey,      deciderKey, decideByKey,
                                               kindKey, messagesKey, destinationKey, redactKey} +
                                   promiseKeys();
    return all;
}

SpecificationStatus readStatus(Section &root)
{
    root.require(statusKey, QStringLiteral("draft, active or retired"));
    const auto status =
        choice(root, statusKey, {QStringLiteral("draft"), QStringLiteral("active"), QStringLiteral("retired")});
    if (status == 0) {
        root.require(deciderKey, QStringLiteral("who decides about this draft"));
        root.require(decideByKey, QStringLiteral("the last day to decide, such as 2027-01-31"));
        return Draft{root.text(deciderKey).value_or(QString()), date(root, decideByKey).value_or(QDate())};
    }
    if (status)
        for (const auto &key : {deciderKey, decideByKey})
            if (root.has(key))
                root.fail(key, QStringLiteral("only a draft has one; leave it out"));
    return status == 1 ? SpecificationStatus(Active{}) : SpecificationStatus(Retired{});
}

MessageKind readKind(Section &root)
{
    static const QStringList names{QStringLiteral("integration_event"), QStringLiteral("journey_step_command"),
                                   QStringLiteral("provider_side_effect")};
    root.require(kindKey, names.join(QStringLiteral(", ")));
    const auto at = choice(root, kindKey, names).value_or(0);
    return kindFromName(names[at].toStdString(), {}).value_or(IntegrationEvent{});
}

void readContract(Section section, ReadSpecification &read)
{
    const auto typeKey = QStringLiteral("type");
    const auto versionsKey = QStringLiteral("versions");
    section.require(typeKey, QStringLiteral("a message type such as orders.placed"));
    section.require(versionsKey, QStringLiteral("a list of schema versions such as [1, 2]"));
    const auto type = section.text(typeKey);
    for (const auto &[path, node] : elements(section, versionsKey, QStringLiteral("schema versions such as [1, 2]"))) {
        bool isNumber = false;
        const int version = node.IsScalar() ? QString::fromStdString(node.Scalar()).toInt(&isNumber) : 0;
        if (!isNumber || version < 1) {
            section.reading().fail(node.Mark(), path, QStringLiteral("expected a whole number of 1 or more"));
        } else if (type) {
            read.specification.messages.append({MessageType(*type), SchemaVersion(version)});
            read.messages.append({path, node.Mark()});
        }
    }
}

void readMessages(Section &root, ReadSpecification &read)
{
    root.require(messagesKey, QStringLiteral("a list of {type: ..., versions: [...]}"));
    for (const auto &[path, node] : elements(root, messagesKey, QStringLiteral("{type: ..., versions: [...]}"))) {
        const Section section(root.reading(), node, node.Mark(), path,
                              {QStringLiteral("type"), QStringLiteral("versions")});
        if (node.IsMap())
            readContract(section, read);
    }
}

void readRedactions(const Section &root, Specification &specification)
{
    for (const auto &[path, node] :
         elements(root, redactKey, QStringLiteral("JSON pointers such as /customer/email"))) {
        const auto pointer = node.IsScalar() ? JsonPointer::parse(QString::fromStdString(node.Scalar()))
                                             : Result<JsonPointer, QString>(QStringLiteral("expected a text"));
        if (pointer)
            specification.redactions.append(*pointer);
        else
            root.reading().fail(node.Mark(), path, pointer.error());
    }
}

/// The place of a field that the validator names: itself, else the nearest section around it.
MessagePlace placeOf(const Section &root, const ReadSpecification &read, const YAML::Mark &document,
                     const QString &field)
{
    static const QRegularExpression message(QStringLiteral("\\Amessages\\[(\\d+)\\]"));
    if (const auto match = message.match(field); match.hasMatch())
        return read.messages.value(match.captured(1).toInt(), {field, document});
    const QString key = field.section(u'.', 0, 0);
    if (!root.has(key))
        return {field, document};
    const YAML::Node value = root.node(key);
    const auto within = field.section(u'.', 1).toStdString();
    if (value.IsMap())
        for (const auto &each : value)
            if (each.first.IsScalar() && each.first.Scalar() == within)
                return {field, each.second.IsNull() ? each.first.Mark() : each.second.Mark()};
    return {field, value.IsNull() || value.IsMap() ? root.mark(key) : value.Mark()};
}

} // namespace

std::optional<ReadSpecification> readSpecification(Reading &reading, const YAML::Node &document)
{
    const auto before = reading.errors.size();
    Section root(reading, document, document.Mark(), QString(), keys());
    if (!document.IsMap())
        return std::nullopt;
    ReadSpecification read;
    auto &specification = read.specification;
    root.require(idKey, QStringLiteral("the stable name of this specification"));
    specification.id = SpecificationId(root.text(idKey).value_or(QString()));
    root.require(versionKey, QStringLiteral("the document's version, 1 at first, more after each change"));
    specification.version =
        SpecificationVersion(root.number(versionKey, 1, std::numeric_limits<int>::max()).value_or(1));
    specification.status = readStatus(root);
    specification.kind = readKind(root);
    readMessages(root, read);
    root.require(destinationKey, QStringLiteral("the name of the destination that its messages go to"));
    specification.destination = DestinationName(root.text(destinationKey).value_or(QString()));
    readPromise(root, specification);
    readRedactions(root, specification);
    if (root.has(idKey))
        read.id = root.node(idKey).Mark();
    if (root.has(decideByKey))
        read.decideBy = root.node(decideByKey).Mark();
    if (reading.errors.size() == before)
        for (const auto &problem : problemsOf(specification)) {
            const auto place = placeOf(root, read, document.Mark(), problem.field);
            reading.fail(place.mark, place.path, problem.reason);
        }
    return reading.errors.size() == before ? std::optional(read) : std::nullopt;
}

} // namespace outbox::app
