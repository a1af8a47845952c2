// SPDX-License-Identifier: Apache-2.0
#include "destination/amqp/connector.h"

#include <QThread>

namespace outbox::destination {

Connector::Connector(AmqpConfig config, QObject *parent) : QObject(parent), config_(std::move(config)) {}

Connector::~Connector()
{
    if (thread_)
        thread_->wait();
}

void Connector::connectToBroker()
{
    if (thread_)
        return;
    opened_ = std::make_shared<std::optional<Opened>>();
    thread_.reset(
        QThread::create([opened = opened_, config = config_] { opened->emplace(AmqpConnection::open(config)); }));
    thread_->setObjectName(QStringLiteral("amqp-connect"));
    connect(thread_.get(), &QThread::finished, this, &Connector::end, Qt::QueuedConnection);
    thread_->start();
}

void Connector::end()
{
    thread_->wait();
    thread_.reset();
    Opened opened = std::move(**std::exchange(opened_, nullptr));
    if (opened)
        Q_EMIT connected(std::shared_ptr<AmqpConnection>(std::move(opened).value()));
    else
        Q_EMIT failed(opened.error());
}

} // namespace outbox::destination
