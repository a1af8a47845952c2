// SPDX-License-Identifier: Apache-2.0
#include "support/servers/amqp_session.h"

#include <amqp_framing.h>
#include <amqp_tcp_socket.h>

namespace outbox::servers {

using namespace Qt::StringLiterals;

namespace {

constexpr amqp_channel_t channel = 1;
constexpr int block = 256;

amqp_bytes_t bytes(const QByteArray &text) { return {std::size_t(text.size()), const_cast<char *>(text.constData())}; }

QByteArray copied(const amqp_bytes_t &text) { return {static_cast<const char *>(text.bytes), qsizetype(text.len)}; }

Result<Done, QString> checked(const amqp_rpc_reply_t &reply, const QString &what)
{
    if (reply.reply_type == AMQP_RESPONSE_NORMAL) {
        return Done{};
    }
    const auto why = reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION
                         ? QString::fromUtf8(amqp_error_string2(reply.library_error))
                         : u"the broker refused"_s;
    return u"%1: %2"_s.arg(what, why);
}

timeval asTimeval(milliseconds span)
{
    return {.tv_sec = span.count() / 1000, .tv_usec = (span.count() % 1000) * 1000};
}

} // namespace

Result<std::unique_ptr<AmqpSession>, QString> AmqpSession::open(int port)
{
    auto session = std::unique_ptr<AmqpSession>(new AmqpSession);
    auto begun = session->begin(port);
    if (!begun) {
        return begun.error();
    }
    return session;
}

Result<Done, QString> AmqpSession::begin(int port)
{
    connection_ = amqp_new_connection();
    auto *socket = amqp_tcp_socket_new(connection_);
    if (socket == nullptr || amqp_socket_open(socket, "127.0.0.1", port) != AMQP_STATUS_OK) {
        return u"no RabbitMQ listens on port %1"_s.arg(port);
    }
    auto in = checked(amqp_login(connection_, "/", 0, 131072, 0, AMQP_SASL_METHOD_PLAIN, "guest", "guest"), u"login"_s);
    if (!in) {
        return in;
    }
    amqp_channel_open(connection_, channel);
    return checked(amqp_get_rpc_reply(connection_), u"opening a channel"_s);
}

AmqpSession::~AmqpSession()
{
    if (connection_ != nullptr) {
        amqp_destroy_connection(connection_);
    }
}

Result<Done, QString> AmqpSession::makeQueue(const QString &queue)
{
    const auto name = queue.toUtf8();
    amqp_queue_declare(connection_, channel, bytes(name), 0, 1, 0, 0, amqp_empty_table);
    auto made = checked(amqp_get_rpc_reply(connection_), u"declaring the queue %1"_s.arg(queue));
    if (made) {
        amqp_queue_purge(connection_, channel, bytes(name));
        made = checked(amqp_get_rpc_reply(connection_), u"emptying the queue %1"_s.arg(queue));
    }
    return made;
}

Result<int, QString> AmqpSession::confirmed(const amqp_frame_t &frame)
{
    if (frame.frame_type != AMQP_FRAME_METHOD || frame.payload.method.id != AMQP_BASIC_ACK_METHOD) {
        return u"the broker answered with something else than an ack"_s;
    }
    const auto *ack = static_cast<const amqp_basic_ack_t *>(frame.payload.method.decoded);
    int settled = 0;
    for (auto tag = ack->multiple != 0 ? oldest_ : ack->delivery_tag; tag <= ack->delivery_tag; ++tag) {
        settled += open_[tag] ? 1 : 0;
        open_[tag] = false;
    }
    while (oldest_ < open_.size() && !open_[oldest_]) {
        ++oldest_;
    }
    return settled;
}

Result<int, QString> AmqpSession::confirms(milliseconds limit)
{
    int settled = 0;
    auto wait = asTimeval(limit);
    amqp_frame_t frame;
    for (;;) {
        const int status = amqp_simple_wait_frame_noblock(connection_, &frame, &wait);
        if (status == AMQP_STATUS_TIMEOUT) {
            break;
        }
        if (status != AMQP_STATUS_OK) {
            return u"waiting for confirms: %1"_s.arg(QString::fromUtf8(amqp_error_string2(status)));
        }
        auto more = confirmed(frame);
        if (!more) {
            return more;
        }
        settled += *more;
        wait = {};
    }
    amqp_maybe_release_buffers(connection_);
    return settled;
}

Result<Done, QString> AmqpSession::publish(const QString &queue, int count, int window, const QByteArray &body,
                                           const std::function<QByteArray(int)> &id)
{
    amqp_confirm_select(connection_, channel);
    if (auto on = checked(amqp_get_rpc_reply(connection_), u"asking for confirms"_s); !on) {
        return on;
    }
    const auto name = queue.toUtf8();
    const auto type = "orders.placed"_ba;
    const auto content = "application/json"_ba;
    amqp_basic_properties_t properties{};
    properties._flags = AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_MESSAGE_ID_FLAG | AMQP_BASIC_TYPE_FLAG |
                        AMQP_BASIC_CONTENT_TYPE_FLAG;
    properties.delivery_mode = AMQP_DELIVERY_PERSISTENT;
    properties.type = bytes(type);
    properties.content_type = bytes(content);
    open_.assign(1, false); // Tags begin at 1.
    oldest_ = 1;
    int sent = 0;
    int settled = 0;
    while (settled < count) {
        for (; sent < count && sent - settled < window; ++sent) {
            const auto messageId = id(sent);
            properties.message_id = bytes(messageId);
            const int status =
                amqp_basic_publish(connection_, channel, amqp_empty_bytes, bytes(name), 1, 0, &properties, bytes(body));
            if (status != AMQP_STATUS_OK) {
                return u"publishing: %1"_s.arg(QString::fromUtf8(amqp_error_string2(status)));
            }
            open_.push_back(true);
        }
        auto more = confirms(seconds{30});
        if (!more) {
            return more.error();
        }
        if (*more == 0) {
            return u"the broker confirmed nothing for 30 seconds"_s;
        }
        settled += *more;
    }
    return Done{};
}

Result<Done, QString> AmqpSession::consume(const QString &queue, const std::function<bool(const QByteArray &id)> &taken)
{
    const auto name = queue.toUtf8();
    amqp_basic_qos(connection_, channel, 0, 4 * block, 0);
    amqp_basic_consume(connection_, channel, bytes(name), amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
    if (auto on = checked(amqp_get_rpc_reply(connection_), u"consuming"_s); !on) {
        return on;
    }
    const auto limit = asTimeval(milliseconds{50});
    std::uint64_t last = 0;
    std::uint64_t acknowledged = 0;
    for (bool more = true; more;) {
        amqp_maybe_release_buffers(connection_);
        amqp_envelope_t envelope;
        const auto reply = amqp_consume_message(connection_, &envelope, &limit, 0);
        const bool idle =
            reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION && reply.library_error == AMQP_STATUS_TIMEOUT;
        if (!idle) {
            if (auto got = checked(reply, u"consuming"_s); !got) {
                return got;
            }
            last = envelope.delivery_tag;
            const bool named = (envelope.message.properties._flags & AMQP_BASIC_MESSAGE_ID_FLAG) != 0;
            more = taken(named ? copied(envelope.message.properties.message_id) : QByteArray());
            amqp_destroy_envelope(&envelope);
        }
        if (last > acknowledged && (idle || !more || last - acknowledged >= block)) {
            amqp_basic_ack(connection_, channel, last, 1);
            acknowledged = last;
        }
    }
    return Done{};
}

} // namespace outbox::servers
