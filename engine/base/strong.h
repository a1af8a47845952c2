// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef Q_MOC_RUN // moc of Qt 6.4 stumbles over concepts
#include <compare>
#endif
#include <QHashFunctions>

#include <cstddef>
#include <functional>

namespace outbox {

/// A number or text that is not interchangeable with another one of the same representation:
/// using Fence = Strong<struct FenceTag, std::int64_t>.
template <typename Tag, typename Rep>
class Strong {
public:
    using Representation = Rep;

    Strong() = default;
    explicit Strong(Rep value) : value_(std::move(value)) {}

    [[nodiscard]] const Rep &value() const { return value_; }

    friend bool operator==(const Strong &, const Strong &) = default;
    friend auto operator<=>(const Strong &a, const Strong &b) requires std::three_way_comparable<Rep>
    {
        return a.value_ <=> b.value_;
    }
    friend bool operator<(const Strong &a, const Strong &b) requires(!std::three_way_comparable<Rep>)
    {
        return a.value_ < b.value_;
    }

private:
    Rep value_{};
};

template <typename Tag, typename Rep>
std::size_t qHash(const Strong<Tag, Rep> &id, std::size_t seed = 0) noexcept
{
    using ::qHash; // the numbers' own; ours would hide it
    return qHash(id.value(), seed);
}

} // namespace outbox
