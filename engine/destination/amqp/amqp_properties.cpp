// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/amqp_properties.h"

namespace outbox::destination {

namespace {

constexpr qsizetype longestShortText = 255;

amqp_bytes_t bytesOf(const QByteArray &array)
{
    return {static_cast<std::size_t>(array.size()), const_cast<char *>(array.constData())};
}

const EventAttribute *find(const std::vector<EventAttribute> &attributes, std::string_view name)
{
    for (const auto &each : attributes)
        if (std::string_view(each.name.constData(), static_cast<std::size_t>(each.name.size())) == name)
            return &each;
    return nullptr;
}

} // namespace

AmqpProperties::AmqpProperties(const Message &message, const QByteArray &source)
    : attributes_(eventAttributes(message, source))
{
    auto context = traceContext(message);
    const std::size_t plainFrom = attributes_.size();
    attributes_.reserve(plainFrom + context.size());
    names_.reserve(plainFrom + context.size());
    entries_.reserve(plainFrom + context.size());
    for (auto &each : context)
        attributes_.push_back(std::move(each));
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
        const auto &each = attributes_[i];
        names_.push_back(i < plainFrom ? "cloudEvents:" + each.name : each.name);
        amqp_table_entry_t entry{};
        entry.key = bytesOf(names_.back());
        entry.value.kind = AMQP_FIELD_KIND_UTF8;
        entry.value.value.bytes = bytesOf(each.value);
        entries_.push_back(entry);
    }
    properties_._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_HEADERS_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG |
                         AMQP_BASIC_MESSAGE_ID_FLAG | AMQP_BASIC_TIMESTAMP_FLAG | AMQP_BASIC_TYPE_FLAG;
    properties_.content_type = {eventContentType.size(), const_cast<char *>(eventContentType.data())};
    properties_.delivery_mode = 2;
    properties_.message_id = bytesOf(find(attributes_, "id")->value);
    properties_.type = bytesOf(find(attributes_, "type")->value);
    const auto second = std::chrono::floor<seconds>(message.occurredAt).time_since_epoch().count();
    properties_.timestamp = static_cast<std::uint64_t>(second);
    properties_.headers = {static_cast<int>(entries_.size()), entries_.data()};
}

qsizetype AmqpProperties::wireSize() const
{
    qsizetype size = 1024; // the other properties: short texts of at most 255 bytes each
    for (std::size_t i = 0; i < attributes_.size(); ++i)
        size += names_[i].size() + attributes_[i].value.size() + 6;
    return size;
}

QString AmqpProperties::problem() const
{
    if (find(attributes_, "type")->value.size() > longestShortText)
        return QStringLiteral("the message type is longer than the 255 bytes that AMQP carries");
    for (const auto &name : names_)
        if (name.size() > longestShortText)
            return QStringLiteral("a header's name is longer than AMQP carries");
    return {};
}

} // namespace outbox::destination
