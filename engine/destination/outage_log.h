// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <string>

namespace outbox::destination {

/// One line in the log when a broker is lost, one when it is back, whatever happens in between.
class OutageLog {
public:
    /// `transport` begins the events' names: "amqp.unavailable", "amqp.connected".
    OutageLog(std::string transport, QString broker) : transport_(std::move(transport)), broker_(std::move(broker)) {}

    /// The reason is safe to read for everybody.
    void down(const QString &reason);
    /// `place`: what is delivered to there, such as an exchange.
    void up(const QString &place);

private:
    std::string transport_;
    QString broker_;
    bool down_ = false;
};

} // namespace outbox::destination
