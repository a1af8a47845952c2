// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/strong.h"

#include <QHash>
#include <QString>
#include <QUuid>

#include <cstdint>

namespace outbox {

/// A message's identity, UUIDv7 by default; survives retry and replay (S22).
using MessageId = Strong<struct MessageIdTag, QUuid>;
/// The number a worker process got when it registered with the store.
using WorkerId = Strong<struct WorkerIdTag, std::int32_t>;
/// The fencing token of one claim: greater than that of every earlier claim (S7).
using Fence = Strong<struct FenceTag, std::int64_t>;
/// One combination of destination, type and schema version, as the store numbers it.
using LaneId = Strong<struct LaneIdTag, std::int32_t>;
/// The configured name of a destination.
using DestinationName = Strong<struct DestinationNameTag, QString>;

/// Lower case, with dashes, without braces.
inline QString toText(const MessageId &id) { return id.value().toString(QUuid::WithoutBraces); }

} // namespace outbox
