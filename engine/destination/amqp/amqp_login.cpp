// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/amqp_login.h"

#include <QFileInfo>

#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace outbox::destination {

namespace {

QString replyText(const amqp_rpc_reply_t &reply)
{
    const auto text = [](amqp_bytes_t bytes) {
        return QString::fromUtf8(static_cast<const char *>(bytes.bytes), static_cast<qsizetype>(bytes.len));
    };
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION)
        return QString::fromUtf8(amqp_error_string2(reply.library_error));
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION && reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD)
        return text(static_cast<const amqp_connection_close_t *>(reply.reply.decoded)->reply_text);
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION && reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD)
        return text(static_cast<const amqp_channel_close_t *>(reply.reply.decoded)->reply_text);
    return QStringLiteral("unexpected answer");
}

timeval timevalOf(milliseconds span)
{
    return {static_cast<time_t>(span.count() / 1000), static_cast<suseconds_t>(span.count() % 1000 * 1000)};
}

QString systemRoots()
{
    for (const auto *path :
         {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"})
        if (QFileInfo::exists(QString::fromLatin1(path)))
            return QString::fromLatin1(path);
    return {};
}

amqp_socket_t *tlsSocket(amqp_connection_state_t state, const AmqpConfig &config, QString &problem)
{
    amqp_socket_t *socket = amqp_ssl_socket_new(state);
    if (!socket)
        return nullptr;
    amqp_ssl_socket_set_verify_peer(socket, 1);
    amqp_ssl_socket_set_verify_hostname(socket, 1);
    amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST);
    const QString roots = config.caFile.isEmpty() ? systemRoots() : config.caFile;
    if (amqp_ssl_socket_set_cacert(socket, roots.toLocal8Bit().constData()) == AMQP_STATUS_OK)
        return socket;
    problem = QStringLiteral("the trusted roots cannot be read from %1").arg(roots);
    return nullptr;
}

/// A batch of small messages fits in without blocking once the socket reports writable; a peer that
/// takes nothing for two heartbeats breaks the connection, so that no send can hang for ever.
void tune(int fd, const AmqpConfig &config)
{
    const int buffer = 512 * 1024;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    const unsigned silence = static_cast<unsigned>(milliseconds(config.heartbeat).count()) * 2;
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence, sizeof silence);
}

amqp_table_entry_t flag(const char *name)
{
    amqp_table_entry_t entry{};
    entry.key = amqp_cstring_bytes(name);
    entry.value.kind = AMQP_FIELD_KIND_BOOLEAN;
    entry.value.value.boolean = 1;
    return entry;
}

} // namespace

Result<Done, QString> logIn(amqp_connection_state_t state, amqp_channel_t channel, const AmqpConfig &config)
{
    QString problem = QStringLiteral("no socket");
    amqp_socket_t *socket = config.address.tls ? tlsSocket(state, config, problem) : amqp_tcp_socket_new(state);
    if (!socket)
        return problem;
    const timeval limit = timevalOf(config.connectTimeout);
    const int opened =
        amqp_socket_open_noblock(socket, config.address.host.toUtf8().constData(), config.address.port, &limit);
    if (opened != AMQP_STATUS_OK)
        return QString::fromUtf8(amqp_error_string2(opened));
    tune(amqp_get_sockfd(state), config);
    amqp_set_handshake_timeout(state, &limit);
    amqp_set_rpc_timeout(state, &limit);

    amqp_table_entry_t flags[] = {flag("publisher_confirms"), flag("basic.nack"), flag("connection.blocked"),
                                  flag("authentication_failure_close")};
    amqp_table_entry_t capabilities{};
    capabilities.key = amqp_cstring_bytes("capabilities");
    capabilities.value.kind = AMQP_FIELD_KIND_TABLE;
    capabilities.value.value.table = {static_cast<int>(std::size(flags)), flags};
    const amqp_table_t properties{1, &capabilities};
    const auto login = amqp_login_with_properties(
        state, config.address.virtualHost.toUtf8().constData(), 0, AMQP_DEFAULT_FRAME_SIZE,
        static_cast<int>(config.heartbeat.count()), &properties, AMQP_SASL_METHOD_PLAIN,
        config.address.user.toUtf8().constData(), config.password.reveal().toUtf8().constData());
    if (login.reply_type != AMQP_RESPONSE_NORMAL)
        return replyText(login);
    amqp_channel_open(state, channel);
    if (const auto reply = amqp_get_rpc_reply(state); reply.reply_type != AMQP_RESPONSE_NORMAL)
        return replyText(reply);
    amqp_confirm_select(state, channel);
    if (const auto reply = amqp_get_rpc_reply(state); reply.reply_type != AMQP_RESPONSE_NORMAL)
        return replyText(reply);
    return Done{};
}

} // namespace outbox::destination
