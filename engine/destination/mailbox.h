// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMetaObject>
#include <QObject>

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace outbox::destination {

/// Where what other threads tell waits for the destination's thread. Shared with those threads, it
/// outlives the destination as long as somebody may still put something in.
template <typename Item>
class Mailbox {
public:
    /// `collect` is called in the receiver's thread some time after something was put in, once for many.
    Mailbox(QObject *receiver, std::function<void()> collect) : receiver_(receiver), collect_(std::move(collect)) {}
    Mailbox(const Mailbox &) = delete;
    Mailbox &operator=(const Mailbox &) = delete;

    /// Any thread. After close() it is thrown away.
    void put(Item item)
    {
        const std::scoped_lock lock(mutex_);
        if (!receiver_)
            return;
        items_.push_back(std::move(item));
        if (!std::exchange(called_, true))
            QMetaObject::invokeMethod(receiver_, collect_, Qt::QueuedConnection);
    }
    /// What was put in since the last call, in that order.
    [[nodiscard]] std::vector<Item> take()
    {
        const std::scoped_lock lock(mutex_);
        called_ = false;
        return std::exchange(items_, {});
    }
    /// The receiver listens no more: its thread, before it goes away.
    void close()
    {
        std::vector<Item> left; // freed without the lock
        const std::scoped_lock lock(mutex_);
        receiver_ = nullptr;
        left.swap(items_);
    }

private:
    std::mutex mutex_;
    std::vector<Item> items_;
    QObject *receiver_;
    std::function<void()> collect_;
    bool called_ = false; ///< a call to collect is on its way
};

} // namespace outbox::destination
