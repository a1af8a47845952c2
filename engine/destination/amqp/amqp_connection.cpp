// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/amqp_connection.h"

#include "destination/amqp/amqp_login.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace outbox::destination {

namespace {

constexpr amqp_channel_t channel = 1;

QString text(amqp_bytes_t bytes)
{
    return QString::fromUtf8(static_cast<const char *>(bytes.bytes),
                             static_cast<qsizetype>(std::min<std::size_t>(bytes.len, 300)));
}

QString statusText(int status) { return QString::fromUtf8(amqp_error_string2(status)); }

amqp_bytes_t bytesOf(const QByteArray &array)
{
    return {static_cast<std::size_t>(array.size()), const_cast<char *>(array.constData())};
}

} // namespace

AmqpConnection::~AmqpConnection() = default;

Result<std::unique_ptr<AmqpConnection>, QString> AmqpConnection::open(const AmqpConfig &config)
{
    std::unique_ptr<AmqpConnection> connection(new AmqpConnection(amqp_new_connection()));
    if (!connection->state_)
        return QStringLiteral("out of memory");
    if (auto done = logIn(connection->state_.get(), channel, config); !done)
        return std::move(done).error();
    return connection;
}

int AmqpConnection::socket() const { return amqp_get_sockfd(state_.get()); }

std::optional<BrokerEvent> AmqpConnection::next()
{
    for (;;) {
        amqp_maybe_release_buffers(state_.get());
        timeval now{0, 0};
        amqp_frame_t frame;
        const int status = amqp_simple_wait_frame_noblock(state_.get(), &frame, &now);
        if (status == AMQP_STATUS_TIMEOUT)
            return std::nullopt;
        if (status != AMQP_STATUS_OK)
            return Lost{statusText(status)};
        auto event = frame.frame_type == AMQP_FRAME_METHOD ? method(frame.payload.method) : content(frame);
        if (event)
            return event;
    }
}

std::optional<BrokerEvent> AmqpConnection::method(const amqp_method_t &method)
{
    switch (method.id) {
    case AMQP_BASIC_ACK_METHOD: {
        const auto *ack = static_cast<const amqp_basic_ack_t *>(method.decoded);
        return Confirmed{ack->delivery_tag, ack->multiple != 0};
    }
    case AMQP_BASIC_NACK_METHOD: {
        const auto *nack = static_cast<const amqp_basic_nack_t *>(method.decoded);
        return Refused{nack->delivery_tag, nack->multiple != 0};
    }
    case AMQP_BASIC_RETURN_METHOD: {
        const auto *back = static_cast<const amqp_basic_return_t *>(method.decoded);
        returning_ = ReturnInProgress{{QUuid(), back->reply_code, text(back->reply_text)}, 0, false};
        return std::nullopt;
    }
    case AMQP_CHANNEL_CLOSE_METHOD: {
        const auto *close = static_cast<const amqp_channel_close_t *>(method.decoded);
        return Closed{close->reply_code, text(close->reply_text)};
    }
    case AMQP_CONNECTION_CLOSE_METHOD: {
        const auto *close = static_cast<const amqp_connection_close_t *>(method.decoded);
        const Closed event{close->reply_code, text(close->reply_text)};
        amqp_connection_close_ok_t answer{};
        amqp_send_method(state_.get(), 0, AMQP_CONNECTION_CLOSE_OK_METHOD, &answer);
        return event;
    }
    case AMQP_CONNECTION_BLOCKED_METHOD:
        return Blocked{text(static_cast<const amqp_connection_blocked_t *>(method.decoded)->reason)};
    case AMQP_CONNECTION_UNBLOCKED_METHOD: return Unblocked{};
    default: return std::nullopt;
    }
}

std::optional<BrokerEvent> AmqpConnection::content(const amqp_frame_t &frame)
{
    if (!returning_)
        return std::nullopt;
    if (frame.frame_type == AMQP_FRAME_HEADER) {
        const auto *properties = static_cast<const amqp_basic_properties_t *>(frame.payload.properties.decoded);
        if ((properties->_flags & AMQP_BASIC_MESSAGE_ID_FLAG) != 0)
            returning_->event.id = QUuid::fromString(text(properties->message_id));
        returning_->bodyLeft = frame.payload.properties.body_size;
        returning_->headerSeen = true;
    } else if (frame.frame_type == AMQP_FRAME_BODY) {
        returning_->bodyLeft -= std::min<std::uint64_t>(returning_->bodyLeft, frame.payload.body_fragment.len);
    }
    if (!returning_->headerSeen || returning_->bodyLeft != 0)
        return std::nullopt;
    BrokerEvent event = std::move(returning_->event);
    returning_.reset();
    return event;
}

bool AmqpConnection::hasUnread() const
{
    return amqp_frames_enqueued(state_.get()) != 0 || amqp_data_in_buffer(state_.get()) != 0;
}

int AmqpConnection::largestHeader() const
{
    constexpr int frameAround = 64; // frame header, class, weight, body size, flags, frame end
    return amqp_get_frame_max(state_.get()) - frameAround;
}

Result<Done, QString> AmqpConnection::publish(const QByteArray &exchange, const QByteArray &routingKey,
                                              const amqp_basic_properties_t &properties, const QByteArray &body)
{
    const int status = amqp_basic_publish(state_.get(), channel, bytesOf(exchange), bytesOf(routingKey), 1, 0,
                                          &properties, bytesOf(body));
    if (status != AMQP_STATUS_OK)
        return statusText(status);
    return Done{};
}

bool AmqpConnection::isWritable() const
{
    pollfd one{socket(), POLLOUT, 0};
    return poll(&one, 1, 0) == 1 && (one.revents & POLLOUT) != 0;
}

void AmqpConnection::beginBatch()
{
    const int on = 1;
    setsockopt(socket(), IPPROTO_TCP, TCP_CORK, &on, sizeof on);
}

void AmqpConnection::endBatch()
{
    const int off = 0;
    setsockopt(socket(), IPPROTO_TCP, TCP_CORK, &off, sizeof off);
}

void AmqpConnection::sayGoodbye()
{
    amqp_connection_close_t close{};
    close.reply_code = AMQP_REPLY_SUCCESS;
    close.reply_text = amqp_cstring_bytes("bye");
    if (isWritable())
        amqp_send_method(state_.get(), 0, AMQP_CONNECTION_CLOSE_METHOD, &close);
}

} // namespace outbox::destination
