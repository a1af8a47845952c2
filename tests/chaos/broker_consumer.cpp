// SPDX-License-Identifier: Apache-2.0
#include "broker_consumer.h"

#include "support/servers/amqp_session.h"

namespace outbox::chaos {

namespace {

const QByteArray last = "the-last-one";

} // namespace

Result<std::unique_ptr<BrokerConsumer>, QString> BrokerConsumer::start(int port, const QString &queue, ReceivedLog &log)
{
    auto opened = servers::AmqpSession::open(port);
    if (!opened) {
        return opened.error();
    }
    std::shared_ptr<servers::AmqpSession> session = std::move(opened).value();
    if (auto made = session->makeQueue(queue); !made) {
        return made.error();
    }
    auto consumer = std::unique_ptr<BrokerConsumer>(new BrokerConsumer(port, queue));
    consumer->thread_ = std::thread([self = consumer.get(), session, queue, &log] {
        auto consumed = session->consume(queue, [&log](const QByteArray &id) {
            if (id == last) {
                return false;
            }
            log.take(id);
            return true;
        });
        if (!consumed) {
            self->error_ = consumed.error();
        }
    });
    return consumer;
}

Result<Done, QString> BrokerConsumer::finish()
{
    auto session = servers::AmqpSession::open(port_);
    if (!session) {
        return session.error();
    }
    if (auto told = session.value()->publish(queue_, 1, 1, "{}", [](int) { return last; }); !told) {
        return told;
    }
    thread_.join();
    if (!error_.isEmpty()) {
        return error_;
    }
    return Done{};
}

BrokerConsumer::~BrokerConsumer()
{
    if (thread_.joinable()) {
        // Ends the thread by its last message; without a broker it has ended already.
        if (auto ended = finish(); !ended && thread_.joinable()) {
            thread_.join();
        }
    }
}

} // namespace outbox::chaos
