// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

namespace outbox {

/// Where chance comes from. Handed in, so that tests seed it by their own name.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    /// Seeded from the machine's entropy.
    static Random fromMachine()
    {
        return Random((std::uint64_t{std::random_device{}()} << 32U) | std::random_device{}());
    }

    /// Evenly spread over [0, 1).
    double unit() { return std::uniform_real_distribution<double>(0.0, 1.0)(engine_); }

private:
    std::mt19937_64 engine_;
};

} // namespace outbox
