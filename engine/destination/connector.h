// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QObject>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>

namespace outbox::destination {

/// Opens connections in a thread of its own, one at a time, because connecting blocks and the
/// destination's thread must go on settling what is due. Lives in the destination's thread.
template <typename Connection>
class Connector {
public:
    using Opened = Result<std::unique_ptr<Connection>, QString>;

    /// `open` is called in the connecting thread and must own what it uses; `done` in this object's thread,
    /// exactly once an attempt.
    Connector(QString threadName, std::function<void(Opened)> done)
        : threadName_(std::move(threadName)), done_(std::move(done))
    {
    }
    Connector(const Connector &) = delete;
    Connector &operator=(const Connector &) = delete;
    /// Waits for an attempt under way.
    ~Connector()
    {
        if (thread_)
            thread_->wait();
    }

    /// Begins an attempt, unless one is under way.
    void connectBy(std::function<Opened()> open)
    {
        if (thread_)
            return;
        opened_ = std::make_shared<std::optional<Opened>>();
        thread_.reset(QThread::create([opened = opened_, open = std::move(open)] { opened->emplace(open()); }));
        thread_->setObjectName(threadName_);
        QObject::connect(
            thread_.get(), &QThread::finished, &context_, [this] { end(); }, Qt::QueuedConnection);
        thread_->start();
    }
    [[nodiscard]] bool isConnecting() const { return thread_ != nullptr; }

private:
    void end()
    {
        thread_->wait();
        thread_.reset();
        done_(std::move(**std::exchange(opened_, nullptr)));
    }

    QString threadName_;
    std::function<void(Opened)> done_;
    std::shared_ptr<std::optional<Opened>> opened_;
    std::unique_ptr<QThread> thread_;
    QObject context_; ///< goes first, so that nothing is called afterwards
};

} // namespace outbox::destination
