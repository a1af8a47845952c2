// SPDX-License-Identifier: Apache-2.0
#include "destination/http/request_body.h"

#include <algorithm>
#include <cstring>

namespace outbox::destination {

RequestBody::RequestBody(QByteArray payload, QObject *parent) : QIODevice(parent), payload_(std::move(payload))
{
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
}

qint64 RequestBody::bytesAvailable() const { return payload_.size() - sent_ + QIODevice::bytesAvailable(); }

qint64 RequestBody::readData(char *data, qint64 size)
{
    const qint64 count = std::min<qint64>(size, payload_.size() - sent_);
    if (count <= 0)
        return -1;
    std::memcpy(data, payload_.constData() + sent_, static_cast<std::size_t>(count));
    sent_ += count;
    return count;
}

} // namespace outbox::destination
