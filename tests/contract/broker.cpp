// SPDX-License-Identifier: Apache-2.0
#include "contract/broker.h"

#include <QUrl>

#include <amqp_tcp_socket.h>

#include <stdexcept>

namespace outbox::contract {

namespace {

constexpr amqp_channel_t channel = 1;

QByteArray text(amqp_bytes_t bytes)
{
    return {static_cast<const char *>(bytes.bytes), static_cast<qsizetype>(bytes.len)};
}

amqp_bytes_t bytesOf(const QByteArray &array)
{
    return {static_cast<std::size_t>(array.size()), const_cast<char *>(array.constData())};
}

} // namespace

Broker &Broker::shared()
{
    static Broker broker;
    return broker;
}

Broker::Broker()
{
    if (const QUrl named(qEnvironmentVariable("OUTBOX_TEST_AMQP")); !named.isEmpty()) {
        port_ = named.port(5672);
        user_ = named.userName();
        password_ = named.password();
    } else {
        auto started = servers::RabbitNode::start();
        if (!started)
            throw std::runtime_error(started.error().toStdString());
        node_ = std::move(started).value();
        port_ = node_->port();
    }
    connection_ = amqp_new_connection();
    if (amqp_socket_open(amqp_tcp_socket_new(connection_), "127.0.0.1", port_) != AMQP_STATUS_OK)
        throw std::runtime_error("no connection to the broker");
    const auto login = amqp_login(connection_, "/", 0, AMQP_DEFAULT_FRAME_SIZE, 0, AMQP_SASL_METHOD_PLAIN,
                                  user_.toUtf8().constData(), password_.toUtf8().constData());
    if (login.reply_type != AMQP_RESPONSE_NORMAL)
        throw std::runtime_error("the broker refused the login");
    amqp_channel_open(connection_, channel);
    check("channel");
}

Broker::~Broker()
{
    amqp_connection_close(connection_, AMQP_REPLY_SUCCESS);
    amqp_destroy_connection(connection_);
}

void Broker::check(const char *what)
{
    if (amqp_get_rpc_reply(connection_).reply_type != AMQP_RESPONSE_NORMAL)
        throw std::runtime_error(std::string("the broker refused: ") + what);
}

void Broker::makeQueue(const QByteArray &name, bool full)
{
    amqp_table_entry_t limits[2]{};
    limits[0].key = amqp_cstring_bytes("x-max-length");
    limits[0].value.kind = AMQP_FIELD_KIND_I32;
    limits[1].key = amqp_cstring_bytes("x-overflow");
    limits[1].value.kind = AMQP_FIELD_KIND_UTF8;
    limits[1].value.value.bytes = amqp_cstring_bytes("reject-publish");
    amqp_queue_declare(connection_, channel, bytesOf(name), 0, 1, 0, 0,
                       full ? amqp_table_t{2, limits} : amqp_empty_table);
    check("queue.declare");
}

void Broker::deleteQueue(const QByteArray &name)
{
    amqp_queue_delete(connection_, channel, bytesOf(name), 0, 0);
    check("queue.delete");
}

void Broker::makeExchange(const QByteArray &name, const QByteArray &queue)
{
    amqp_exchange_declare(connection_, channel, bytesOf(name), amqp_cstring_bytes("fanout"), 0, 1, 0, 0,
                          amqp_empty_table);
    check("exchange.declare");
    amqp_queue_bind(connection_, channel, bytesOf(queue), bytesOf(name), amqp_empty_bytes, amqp_empty_table);
    check("queue.bind");
}

void Broker::deleteExchange(const QByteArray &name)
{
    amqp_exchange_delete(connection_, channel, bytesOf(name), 0);
    check("exchange.delete");
}

int Broker::depth(const QByteArray &queue)
{
    const auto *answer = amqp_queue_declare(connection_, channel, bytesOf(queue), 1, 0, 0, 0, amqp_empty_table);
    check("queue.declare");
    return static_cast<int>(answer->message_count);
}

std::vector<Broker::Item> Broker::takeAll(const QByteArray &queue)
{
    std::vector<Item> items;
    for (;;) {
        const auto got = amqp_basic_get(connection_, channel, bytesOf(queue), 1);
        if (got.reply_type != AMQP_RESPONSE_NORMAL)
            throw std::runtime_error("basic.get failed");
        if (got.reply.id == AMQP_BASIC_GET_EMPTY_METHOD)
            break;
        items.push_back(read());
    }
    amqp_maybe_release_buffers(connection_);
    return items;
}

Broker::Item Broker::read()
{
    amqp_message_t message;
    if (amqp_read_message(connection_, channel, &message, 0).reply_type != AMQP_RESPONSE_NORMAL)
        throw std::runtime_error("reading a message failed");
    const auto &properties = message.properties;
    constexpr amqp_flags_t five = AMQP_BASIC_MESSAGE_ID_FLAG | AMQP_BASIC_TYPE_FLAG | AMQP_BASIC_CONTENT_TYPE_FLAG |
                                  AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_TIMESTAMP_FLAG;
    Item item;
    item.body = text(message.body);
    item.allProperties = (properties._flags & five) == five;
    if (item.allProperties) {
        item.messageId = text(properties.message_id);
        item.type = text(properties.type);
        item.contentType = text(properties.content_type);
        item.deliveryMode = properties.delivery_mode;
        item.timestamp = properties.timestamp;
    }
    for (int i = 0; i < properties.headers.num_entries; ++i) {
        const auto &entry = properties.headers.entries[i];
        if (entry.value.kind == AMQP_FIELD_KIND_UTF8)
            item.headers[text(entry.key)] = text(entry.value.value.bytes);
    }
    amqp_destroy_message(&message);
    return item;
}

} // namespace outbox::contract
