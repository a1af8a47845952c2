// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QJsonObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace outbox::bench {

class Cluster;

/// What one comparison found. `ratio` is the median of the pairs' ratios: more than 1 is better than
/// what it is held against.
struct Comparison {
    QString bench;
    QString against;              ///< empty: held against nothing, the figures are all there is
    std::optional<double> ratio;  ///< none when held against nothing
    std::optional<double> wanted; ///< the ratio that is promised
    QJsonObject figures;          ///< what the ratio was made of, with units in the names
    std::vector<QString> missed;  ///< promises beside the ratio that were not kept, as sentences
};

/// How much to measure. The quick sizes only show that everything works.
struct Sizes {
    int records = 200'000;         ///< drained in one run
    int snapshotRecords = 400'000; ///< drained while another session holds a snapshot
    int historyRecords = 5'000'000;
    int consoleRecords = 1'000'000; ///< that the console is asked about
    int published = 30'000;         ///< delivered to the broker in one run
    int posted = 15'000;            ///< delivered to the HTTP endpoint in one run
    int stageSeconds = 10;          ///< of pgbench in one run
    int pairs = 3;                  ///< A B A B A B
    static Sizes quick();
    /// Records and seconds at that many percent.
    [[nodiscard]] Sizes scaled(int percent) const;
};

/// Everything a bench may use.
struct Context {
    Cluster &cluster;
    Sizes sizes;
    bool peers = true;                             ///< false: leave out what needs npm
    std::function<void(const QString &)> progress; ///< one line for the person who waits
    std::function<void(const Comparison &)> found; ///< called as soon as a comparison is there
};

/// One name on the command line.
struct Bench {
    QString name;
    QString about;
    std::function<Result<Done, QString>(const Context &)> run;
};

/// Every bench, in the order in which they run.
std::vector<Bench> catalogue();

Result<Done, QString> benchDrain(const Context &context);
Result<Done, QString> benchStage(const Context &context);
Result<Done, QString> benchAmqp(const Context &context);
Result<Done, QString> benchHttp(const Context &context);
Result<Done, QString> benchConsole(const Context &context);

/// Takes the value of a Result, or leaves with its error a function that gives a Result itself.
#define OUTBOX_BENCH_TRY(name, expression)                                                                             \
    auto name##_or_error = (expression);                                                                               \
    if (!name##_or_error)                                                                                              \
        return name##_or_error.error();                                                                                \
    auto name = std::move(name##_or_error).value()

/// The same where only success matters.
#define OUTBOX_BENCH_DO(expression)                                                                                    \
    if (auto done_or_error = (expression); !done_or_error)                                                             \
    return done_or_error.error()

} // namespace outbox::bench
