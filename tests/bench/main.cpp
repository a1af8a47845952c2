// SPDX-License-Identifier: Apache-2.0
// outbox-bench: measures the engine against what it must keep up with.

#include "base/log.h"
#include "bench.h"
#include "cluster.h"
#include "engine_child.h"
#include "report.h"

#include <QCoreApplication>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

using namespace Qt::StringLiterals;
using namespace outbox;

namespace {

struct Options {
    std::vector<std::string> names;
    std::string store;
    bool json = false;
    bool quick = false;
    bool noPeers = false;
    bool check = false;
    int pairs = 0;
    int percent = 100;
    bool child = false;
    bench::ChildOrder order;
};

const char *const about =
    "Measures the outbox engine and prints one line a comparison: the ratio between the engine and what it is "
    "held against, both measured in this run, in turn, so that a busy machine slows both.\n"
    "Without a name every bench runs, which takes about half an hour.";

const char *const footer =
    "Needs: the PostgreSQL server and pgbench; RabbitMQ for amqp; node and npm for the peer graphile-worker "
    "(installed once from its lock file).\n"
    "Exit codes: 0 measured, 1 a bench could not run, 2 wrong usage, 3 a promise was missed (with --check).";

void declare(CLI::App &app, Options &options)
{
    std::vector<std::string> known;
    std::string list = "Which to run, all by default:";
    for (const auto &entry : bench::catalogue()) {
        known.push_back(entry.name.toStdString());
        list += "\n" + entry.name.toStdString() + ": " + entry.about.toStdString();
    }
    app.add_option("NAME", options.names, list)->check(CLI::IsMember(known));
    app.add_flag("--json", options.json, "One JSON object a line and comparison");
    app.add_flag("--quick", options.quick, "Small sizes: shows that everything works, says nothing about speed");
    app.add_flag("--check", options.check, "Exit with 3 when a promised ratio was missed");
    app.add_flag("--no-peers", options.noPeers, "Leave out what needs node and npm");
    app.add_option("--pairs", options.pairs, "How many times each pair is measured; the median counts (3)")
        ->check(CLI::Range(1, 99));
    app.add_option("--percent", options.percent, "Measure with that part of the full sizes (100)")
        ->check(CLI::Range(1, 1000));
    app.add_option("--store", options.store,
                   "A PostgreSQL to measure on, as its superuser; databases outbox_bench_* are made and dropped there. "
                   "Default: a private one, durable, with 512 MB of shared buffers");
    app.footer(footer);
    // How the program calls itself to run the engine in a process of its own, whose memory means something.
    app.add_flag("--child", options.child)->group("");
    app.add_option("--child-amqp", options.order.amqpUrl)->group("");
    app.add_option("--child-http", options.order.httpUrl)->group("");
    app.add_option("--child-concurrency", options.order.concurrency)->group("");
}

int measure(const Options &options)
{
    auto cluster = bench::Cluster::start(QString::fromStdString(options.store));
    if (!cluster) {
        std::cerr << "outbox-bench: " << cluster.error().toStdString() << '\n';
        return 1;
    }
    bool kept = true;
    bench::Context context{
        .cluster = **cluster,
        .sizes = options.quick ? bench::Sizes::quick() : bench::Sizes{}.scaled(options.percent),
        .peers = !options.noPeers,
        .progress = [](const QString &line) { std::cerr << "outbox-bench: " << line.toStdString() << '\n'; },
        .found =
            [&](const bench::Comparison &comparison) {
                kept = kept && bench::isKept(comparison);
                std::cout << (options.json ? bench::asJson(comparison).toStdString() + '\n'
                                           : bench::asText(comparison).toStdString())
                          << std::flush;
            },
    };
    if (options.pairs > 0) {
        context.sizes.pairs = options.pairs;
    }
    bool ran = true;
    for (const auto &entry : bench::catalogue()) {
        const auto name = entry.name.toStdString();
        const auto &asked = options.names;
        if (!asked.empty() && std::find(asked.begin(), asked.end(), name) == asked.end()) {
            continue;
        }
        if (auto done = entry.run(context); !done) {
            std::cerr << "outbox-bench: " << name << ": " << done.error().toStdString() << '\n';
            ran = false;
        }
    }
    return !ran ? 1 : (options.check && !kept) ? 3 : 0;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(u"outbox-bench"_s);
    CLI::App app(about, "outbox-bench");
    Options options;
    declare(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    log::toStandardError(log::Level::warning);
    return options.child ? bench::runChild(options.order) : measure(options);
}
