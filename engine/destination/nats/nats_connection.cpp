// SPDX-License-Identifier: Apache-2.0
#include "destination/nats/nats_connection.h"

#include <mutex>
#include <unordered_map>

namespace outbox::destination {

namespace {

/// The library calls back from its own threads, also after a connection was destroyed. So what it is given
/// is a number, and who left is not found.
class Callbacks {
public:
    static Callbacks &all()
    {
        static Callbacks callbacks;
        return callbacks;
    }
    void *enter(std::weak_ptr<NatsMailbox> mailbox)
    {
        const std::scoped_lock lock(mutex_);
        mailboxes_.emplace(++last_, std::move(mailbox));
        return reinterpret_cast<void *>(last_);
    }
    void leave(void *closure)
    {
        const std::scoped_lock lock(mutex_);
        mailboxes_.erase(reinterpret_cast<std::uintptr_t>(closure));
    }
    void put(void *closure, NatsEvent event)
    {
        std::shared_ptr<NatsMailbox> mailbox;
        {
            const std::scoped_lock lock(mutex_);
            const auto found = mailboxes_.find(reinterpret_cast<std::uintptr_t>(closure));
            if (found != mailboxes_.end())
                mailbox = found->second.lock();
        }
        if (mailbox)
            mailbox->put(std::move(event));
    }

private:
    std::mutex mutex_;
    std::uintptr_t last_ = 0;
    std::unordered_map<std::uintptr_t, std::weak_ptr<NatsMailbox>> mailboxes_;
};

QString lastErrorOf(natsConnection *connection)
{
    const char *text = nullptr;
    natsConnection_GetLastError(connection, &text);
    return QString::fromUtf8(text ? text : "").left(300);
}

void onAnswer(jsCtx *, natsMsg *message, jsPubAck *, jsPubAckErr *refusal, void *closure)
{
    NatsAnswer answer;
    answer.message.reset(message);
    if (refusal) {
        answer.status = refusal->Err == NATS_OK ? NATS_ERR : refusal->Err;
        answer.code = refusal->ErrCode;
        answer.text = QString::fromUtf8(refusal->ErrText ? refusal->ErrText : "").left(300);
    }
    Callbacks::all().put(closure, std::move(answer));
}

void onClosed(natsConnection *connection, void *closure)
{
    const QString reason = lastErrorOf(connection);
    Callbacks::all().put(closure, NatsLost{reason.isEmpty() ? QStringLiteral("the server hung up") : reason});
}

void onError(natsConnection *connection, natsSubscription *, natsStatus status, void *closure)
{
    static const QString before = QStringLiteral("Publish to \"");
    if (status != NATS_NOT_PERMITTED)
        return;
    const QString text = lastErrorOf(connection);
    if (const auto at = text.indexOf(before, 0, Qt::CaseInsensitive); at >= 0)
        Callbacks::all().put(closure, NatsDenied{text.mid(at + before.size()).section(u'"', 0, 0)});
}

struct FreeOptions {
    void operator()(natsOptions *options) const { natsOptions_Destroy(options); }
};
using Options = std::unique_ptr<natsOptions, FreeOptions>;

/// Calls one after another until one fails.
class Steps {
public:
    Steps &operator<<(natsStatus status)
    {
        if (first_ == NATS_OK)
            first_ = status;
        return *this;
    }
    [[nodiscard]] natsStatus first() const { return first_; }

private:
    natsStatus first_ = NATS_OK;
};

natsStatus fill(natsOptions *options, const NatsConfig &config, void *closure)
{
    const auto &address = config.address;
    const QByteArray url = QStringLiteral("nats://%1:%2").arg(address.host).arg(address.port).toUtf8();
    Steps steps;
    steps << natsOptions_SetURL(options, url.constData()) << natsOptions_SetName(options, "outbox")
          << natsOptions_SetTimeout(options, config.connectTimeout.count())
          << natsOptions_SetAllowReconnect(options, false)
          << natsOptions_SetPingInterval(options, config.heartbeat.count()) << natsOptions_SetMaxPingsOut(options, 2)
          << natsOptions_SetWriteDeadline(options, config.writeTimeout.count())
          << natsOptions_SetClosedCB(options, onClosed, closure)
          << natsOptions_SetErrorHandler(options, onError, closure);
    if (!config.token.isEmpty())
        steps << natsOptions_SetToken(options, config.token.reveal().toUtf8().constData());
    else if (!address.user.isEmpty())
        steps << natsOptions_SetUserInfo(options, address.user.toUtf8().constData(),
                                         config.password.reveal().toUtf8().constData());
    if (address.tls)
        steps << natsOptions_SetSecure(options, true)
              << natsOptions_SetExpectedHostname(options, address.host.toUtf8().constData());
    if (address.tls && !config.caFile.isEmpty())
        steps << natsOptions_LoadCATrustedCertificates(options, config.caFile.toUtf8().constData());
    return steps.first();
}

QString textOf(natsStatus status) { return QString::fromUtf8(natsStatus_GetText(status)); }

} // namespace

NatsConnection::NatsConnection(std::shared_ptr<NatsMailbox> mailbox)
    : mailbox_(std::move(mailbox)), closure_(Callbacks::all().enter(mailbox_))
{
}

NatsConnection::~NatsConnection() { Callbacks::all().leave(closure_); }

Result<std::unique_ptr<NatsConnection>, QString> NatsConnection::open(const NatsConfig &config,
                                                                      std::shared_ptr<NatsMailbox> mailbox)
{
    std::unique_ptr<NatsConnection> made(new NatsConnection(std::move(mailbox)));
    natsOptions *created = nullptr;
    if (natsOptions_Create(&created) != NATS_OK)
        return QStringLiteral("out of memory");
    const Options options(created);
    if (const auto status = fill(options.get(), config, made->closure_); status != NATS_OK)
        return QStringLiteral("the settings were refused: ") + textOf(status);
    natsConnection *connection = nullptr;
    const auto connected = natsConnection_Connect(&connection, options.get());
    made->connection_.reset(connection);
    if (connected != NATS_OK)
        return textOf(connected);
    jsOptions streamOptions;
    jsOptions_Init(&streamOptions);
    streamOptions.PublishAsync.AckHandler = onAnswer;
    streamOptions.PublishAsync.AckHandlerClosure = made->closure_;
    jsCtx *stream = nullptr;
    const auto ready = natsConnection_JetStream(&stream, connection, &streamOptions);
    made->stream_.reset(stream);
    if (ready != NATS_OK)
        return textOf(ready);
    return made;
}

qsizetype NatsConnection::largestMessage() const
{
    return static_cast<qsizetype>(natsConnection_GetMaxPayload(connection_.get()));
}

Result<const natsMsg *, QString> NatsConnection::publish(const QByteArray &subject, const QByteArray &id,
                                                         const std::vector<EventAttribute> &headers,
                                                         const QByteArray &payload, milliseconds limit)
{
    natsMsg *message = nullptr;
    Steps steps;
    steps << natsMsg_Create(&message, subject.constData(), nullptr, payload.constData(),
                            static_cast<int>(payload.size()));
    for (const auto &[name, value] : headers)
        if (steps.first() == NATS_OK)
            steps << natsMsgHeader_Set(message, name.constData(), value.constData());
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MsgId = id.constData();
    options.MaxWait = std::max<std::int64_t>(1, limit.count());
    const natsMsg *name = message;
    if (steps.first() == NATS_OK)
        steps << js_PublishMsgAsync(stream_.get(), &message, &options);
    natsMsg_Destroy(message); // nothing when the library took it
    if (steps.first() != NATS_OK)
        return textOf(steps.first());
    return name;
}

} // namespace outbox::destination
