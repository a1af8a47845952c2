// SPDX-License-Identifier: Apache-2.0
#include "series.h"

#include <algorithm>
#include <cmath>

namespace outbox::bench {

double median(std::vector<double> values)
{
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const auto middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double rounded(double value, int digits)
{
    const double scale = std::pow(10, digits);
    return std::round(value * scale) / scale;
}

void Pairs::add(double ours, double theirs)
{
    ours_.push_back(ours);
    theirs_.push_back(theirs);
}

double Pairs::ratio() const
{
    std::vector<double> each;
    for (std::size_t i = 0; i < ours_.size(); ++i) {
        each.push_back(ours_[i] / theirs_[i]);
    }
    return median(each);
}

QJsonArray Pairs::ratios() const
{
    QJsonArray each;
    for (std::size_t i = 0; i < ours_.size(); ++i) {
        each.append(rounded(ours_[i] / theirs_[i], 3));
    }
    return each;
}

} // namespace outbox::bench
