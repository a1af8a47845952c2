// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/service.h"

#include <QThread>

#include <memory>
#include <utility>

namespace outbox {

/// A service in a thread of its own. Made, started, stopped and destroyed in the owner's thread; the service
/// itself is started, stopped and destroyed in its own. Destroying without stop() ends the thread at once.
template <typename S>
class ServiceThread {
public:
    ServiceThread(std::unique_ptr<S> service, const QString &name) : service_(service.release())
    {
        thread_.setObjectName(name);
        service_->moveToThread(&thread_);
        // In its own thread, as the last thing there.
        QObject::connect(&thread_, &QThread::finished, service_, &QObject::deleteLater);
        thread_.start();
    }
    ServiceThread(const ServiceThread &) = delete;
    ServiceThread &operator=(const ServiceThread &) = delete;
    ~ServiceThread()
    {
        thread_.quit();
        thread_.wait();
    }

    [[nodiscard]] S *service() const { return service_; }
    void start() { QMetaObject::invokeMethod(service_, &Service::start, Qt::QueuedConnection); }
    void stop() { QMetaObject::invokeMethod(service_, &Service::stop, Qt::QueuedConnection); }

private:
    QThread thread_;
    S *service_;
};

} // namespace outbox
