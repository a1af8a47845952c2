// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonArray>

#include <vector>

namespace outbox::bench {

/// The middle one; the mean of the middle two. Zero for none.
double median(std::vector<double> values);

/// Two things measured in turn on a machine that is never quite still: the ratio is taken pair by pair,
/// so that a slow minute slows both, and the median of the pairs counts.
class Pairs {
public:
    void add(double ours, double theirs);
    [[nodiscard]] double ratio() const;
    [[nodiscard]] double ours() const { return median(ours_); }
    [[nodiscard]] double theirs() const { return median(theirs_); }
    /// Every pair's ratio, rounded to three digits.
    [[nodiscard]] QJsonArray ratios() const;

private:
    std::vector<double> ours_;
    std::vector<double> theirs_;
};

/// Rounded to that many digits after the point.
double rounded(double value, int digits);

} // namespace outbox::bench
