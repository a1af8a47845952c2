// SPDX-License-Identifier: Apache-2.0
// outbox-chaos: an application stages at full speed, workers deliver, and meanwhile things are broken. Exactly
// what was committed must arrive.

#include "run.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <CLI/CLI.hpp>
#include <iostream>

using namespace Qt::StringLiterals;
using namespace outbox;

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    CLI::App app("Stages at full speed while workers are killed and the store is restarted, and compares what was "
                 "committed with what arrived. Prints one JSON object.\nExit codes: 0 all is well, 1 something is "
                 "wrong, 2 wrong usage, 3 the run itself could not be made.",
                 "outbox-chaos");
    int staging = 60;
    double killEvery = 0;
    chaos::Scenario scenario;
    std::string outbox = QCoreApplication::applicationDirPath().toStdString() + "/../bin/outbox";
    app.add_option("--seconds", staging, "How long the application stages (60)")->check(CLI::Range(1, 86400));
    app.add_option("--clients", scenario.clients, "Of the application (8)")->check(CLI::Range(1, 100));
    app.add_option("--workers", scenario.workers, "`outbox run` processes (2)")->check(CLI::Range(1, 20));
    app.add_option("--kill-every", killEvery, "Seconds between kills of a random worker (never)")
        ->check(CLI::Range(0.0, 3600.0));
    app.add_option("--restarts", scenario.restarts, "Of PostgreSQL, spread evenly (0)")->check(CLI::Range(0, 100));
    app.add_option("--seed", scenario.seed, "Which worker is killed when");
    app.add_option("--outbox", outbox, "The program outbox")->check(CLI::ExistingFile);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    scenario.staging = seconds(staging);
    scenario.killEvery = milliseconds(qint64(killEvery * 1000));
    scenario.outbox = QString::fromStdString(outbox);

    try {
        auto verdict = chaos::play(scenario);
        if (!verdict) {
            std::cerr << "outbox-chaos: " << verdict.error().toStdString() << '\n';
            return 3;
        }
        auto answer = verdict->figures;
        answer.insert(u"wrong"_s, QJsonArray::fromStringList(verdict->wrong));
        std::cout << QJsonDocument(answer).toJson(QJsonDocument::Compact).toStdString() << '\n';
        return verdict->wrong.isEmpty() ? 0 : 1;
    } catch (const std::exception &error) {
        std::cerr << "outbox-chaos: " << error.what() << '\n';
        return 3;
    }
}
