// SPDX-License-Identifier: Apache-2.0
#include "operations/id_range.h"

#include <array>

namespace outbox::operations {

namespace {

// The partitions message_low and message_high begin where the present ends.
const QUuid firstPresent(QStringLiteral("016f0000-0000-0000-0000-000000000000"));
const QUuid lastPresent(QStringLiteral("03bfffff-ffff-ffff-ffff-ffffffffffff"));
const QUuid firstHigh(QStringLiteral("03c00000-0000-0000-0000-000000000000"));
const QUuid lastHigh(QStringLiteral("ffffffff-ffff-ffff-ffff-ffffffffffff"));
const QUuid firstLow;
const QUuid lastLow(QStringLiteral("016effff-ffff-ffff-ffff-ffffffffffff"));

/// Qt compares the variant field before the bytes; PostgreSQL compares bytes.
int compareBytes(const QUuid &a, const QUuid &b) { return a.toRfc4122().compare(b.toRfc4122()); }

/// In the order of the list.
const std::array<IdRange, 3> &parts()
{
    static const std::array<IdRange, 3> all{{{firstPresent, lastPresent}, {firstHigh, lastHigh}, {firstLow, lastLow}}};
    return all;
}

std::size_t partOf(const QUuid &id)
{
    if (compareBytes(id, firstPresent) < 0)
        return 2;
    return compareBytes(id, lastPresent) > 0 ? 1 : 0;
}

} // namespace

QUuid idBelow(const QUuid &id)
{
    QByteArray bytes = id.toRfc4122();
    for (qsizetype i = bytes.size() - 1; i >= 0; --i) {
        const auto byte = static_cast<unsigned char>(bytes.at(i));
        bytes[i] = static_cast<char>(byte - 1);
        if (byte != 0)
            break;
    }
    return QUuid::fromRfc4122(bytes);
}

std::vector<IdRange> rangesAfter(const std::optional<api::RecordCursor> &cursor)
{
    if (!cursor)
        return {parts().begin(), parts().end()};
    const QUuid before = cursor->before.value();
    const std::size_t part = partOf(before);
    std::vector<IdRange> ranges;
    if (compareBytes(before, parts()[part].low) > 0)
        ranges.push_back({parts()[part].low, idBelow(before)});
    ranges.insert(ranges.end(), parts().begin() + static_cast<std::ptrdiff_t>(part) + 1, parts().end());
    return ranges;
}

bool isListedBefore(const QUuid &a, const QUuid &b)
{
    const auto partOfA = partOf(a);
    const auto partOfB = partOf(b);
    return partOfA != partOfB ? partOfA < partOfB : compareBytes(a, b) > 0;
}

} // namespace outbox::operations
