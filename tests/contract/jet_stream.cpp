// SPDX-License-Identifier: Apache-2.0
#include "contract/jet_stream.h"

#include <stdexcept>

namespace outbox::contract {

using destination::NamePattern;
using destination::NatsConfig;
using destination::NatsDestination;

namespace {

void check(natsStatus status, const char *what)
{
    if (status != NATS_OK)
        throw std::runtime_error(std::string(what) + ": " + natsStatus_GetText(status));
}

} // namespace

JetStreamServer &JetStreamServer::shared()
{
    static JetStreamServer server;
    return server;
}

JetStreamServer::JetStreamServer()
{
    auto started = servers::NatsServer::start();
    if (!started)
        throw std::runtime_error(started.error().toStdString());
    server_ = std::move(started).value();
    const auto url = "nats://127.0.0.1:" + std::to_string(server_->port());
    check(natsConnection_ConnectTo(&connection_, url.c_str()), "connect");
    check(natsConnection_JetStream(&context_, connection_, nullptr), "JetStream");
}

JetStreamServer::~JetStreamServer()
{
    jsCtx_Destroy(context_);
    natsConnection_Destroy(connection_);
}

void JetStreamServer::makeStream(const QByteArray &name, bool full, int largestMessage)
{
    const char *subjects[] = {name.constData()};
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.Name = name.constData();
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.MaxMsgSize = largestMessage;
    if (full) {
        config.MaxMsgs = 1;
        config.Discard = js_DiscardNew;
    }
    check(js_AddStream(nullptr, context_, &config, nullptr, nullptr), "add stream");
    if (full)
        check(js_Publish(nullptr, context_, name.constData(), "{}", 2, nullptr, nullptr), "fill stream");
}

void JetStreamServer::deleteStream(const QByteArray &name)
{
    const auto status = js_DeleteStream(context_, name.constData(), nullptr, nullptr);
    if (status != NATS_NOT_FOUND)
        check(status, "delete stream");
}

int JetStreamServer::depth(const QByteArray &name)
{
    jsStreamInfo *info = nullptr;
    check(js_GetStreamInfo(&info, context_, name.constData(), nullptr, nullptr), "stream info");
    const auto count = info->State.Msgs;
    jsStreamInfo_Destroy(info);
    return static_cast<int>(count);
}

std::vector<JetStreamServer::Item> JetStreamServer::readAll(const QByteArray &name)
{
    std::vector<Item> items;
    const auto count = static_cast<std::uint64_t>(depth(name));
    for (std::uint64_t number = 1; number <= count; ++number) {
        natsMsg *message = nullptr;
        check(js_GetMsg(&message, context_, name.constData(), number, nullptr, nullptr), "get message");
        Item item{natsMsg_GetSubject(message), {natsMsg_GetData(message), natsMsg_GetDataLength(message)}, {}};
        const char **names = nullptr;
        int size = 0;
        if (natsMsgHeader_Keys(message, &names, &size) == NATS_OK)
            for (int i = 0; i < size; ++i) {
                const char *value = nullptr;
                natsMsgHeader_Get(message, names[i], &value);
                item.headers[names[i]] = value;
            }
        free(static_cast<void *>(names));
        natsMsg_Destroy(message);
        items.push_back(std::move(item));
    }
    return items;
}

NatsConfig natsConfigFor(int port, const QString &subject)
{
    NatsConfig config;
    config.address.host = QStringLiteral("127.0.0.1");
    config.address.port = port;
    config.subject = NamePattern::parse(subject).value();
    config.concurrency = 50;
    config.reconnect = {milliseconds{20}, milliseconds{200}};
    config.patience = milliseconds{300};
    return config;
}

Stream::~Stream() { server.deleteStream(name); }

std::unique_ptr<delivery::Destination> Stream::make(delivery::OutcomeSink &sink)
{
    auto made = std::make_unique<NatsDestination>(natsConfigFor(wire.port(), QString::fromUtf8(name)), sink, Random(1));
    QObject::connect(made.get(), &NatsDestination::connectionChanged, made.get(), [this](bool up) { up_ = up; });
    return made;
}

void Stream::become(Mood mood)
{
    if (std::exchange(mood_, mood) == Mood::unreachable)
        wire.comeBack();
    wire.mend();
    if (mood == Mood::unreachable)
        return wire.goAway();
    if (mood == Mood::hold)
        return wire.stallAnswers();
    server.deleteStream(name);
    if (mood != Mood::reject)
        server.makeStream(name, mood == Mood::busy);
}

std::vector<Received> Stream::take()
{
    std::vector<Received> received;
    for (auto &each : server.readAll(name))
        received.push_back(
            {QString::fromUtf8(each.headers["ce-id"]), QString::fromUtf8(each.headers["ce-type"]), each.body});
    server.deleteStream(name);
    server.makeStream(name);
    return received;
}

} // namespace outbox::contract
