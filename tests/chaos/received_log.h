// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QHash>
#include <QMutex>

namespace outbox::chaos {

/// How often each message id arrived. Any thread.
class ReceivedLog {
public:
    void take(const QByteArray &id)
    {
        const QMutexLocker lock(&mutex_);
        ++counts_[id];
    }
    [[nodiscard]] QHash<QByteArray, int> counts() const
    {
        const QMutexLocker lock(&mutex_);
        return counts_;
    }

private:
    mutable QMutex mutex_;
    QHash<QByteArray, int> counts_;
};

} // namespace outbox::chaos
