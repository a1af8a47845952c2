// SPDX-License-Identifier: Apache-2.0
#include "operations/throughput.h"

#include "operations/rows.h"

#include <algorithm>

namespace outbox::operations {

namespace {

constexpr seconds tallyWidth{10};
constexpr int mostPoints = 10'000;

} // namespace

Result<QList<api::ThroughputPoint>, store::StoreError> throughput(store::Connection &connection, seconds span,
                                                                  seconds width)
{
    const seconds covered = std::max(span, tallyWidth);
    const seconds step = std::max({width, tallyWidth, covered / mostPoints});
    const auto ran =
        connection.run("throughput", {static_cast<qlonglong>(step.count()), static_cast<qlonglong>(covered.count())},
                       store::Effect::reads);
    if (!ran)
        return ran.error();
    QList<api::ThroughputPoint> points;
    for (auto &row = **ran; row.next();)
        points << api::ThroughputPoint{timestampOf(row.value(0)), step, row.value(1).toLongLong(),
                                       row.value(2).toLongLong(), row.value(3).toLongLong()};
    return points;
}

} // namespace outbox::operations
