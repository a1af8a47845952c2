// SPDX-License-Identifier: Apache-2.0
#include "heartbeat.h"

#include <QDebug>

#include <algorithm>

namespace outbox::test {

Heartbeat::Heartbeat(const QString &what) : what_(what)
{
    timer_.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer_, &QTimer::timeout, &timer_,
                     [this] { worst_ = std::max(worst_, since_.restart() - period); });
    since_.start();
    timer_.start(period);
}

Heartbeat::~Heartbeat()
{
    qInfo().noquote()
        << QStringLiteral("heartbeat: %1: the event loop was blocked %2 ms at worst").arg(what_).arg(worst_);
}

} // namespace outbox::test
