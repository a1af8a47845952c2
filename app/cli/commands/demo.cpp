// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"
#include "cli/demo_run.h"
#include "cli/failures.h"
#include "cli/json_object.h"
#include "cli/stop_signals.h"
#include "demo/demo_store.h"

#include <QCoreApplication>

namespace outbox::cli {

namespace {

void printJson(Output &out, const DemoReport &report)
{
    out.line(JsonObject()
                 .add("transactions_committed", report.counts.committedTransactions)
                 .add("transactions_rolled_back", report.counts.rolledBackTransactions)
                 .add("committed", report.counts.staged)
                 .add("received", report.counts.received)
                 .add("duplicates", report.counts.duplicates)
                 .add("dispatched", report.accepted)
                 .add("retried", report.retried)
                 .add("dead_letters", report.deadLetters)
                 .add("replayed", report.replayed)
                 .add("missing", report.missing)
                 .add("rolled_back_but_received", report.phantoms)
                 .text());
}

void printText(Output &out, const DemoReport &report)
{
    const auto &counts = report.counts;
    out.line(QStringLiteral("Staged        %1 messages in %2 committed transactions; %3 transactions rolled back")
                 .arg(counts.staged)
                 .arg(counts.committedTransactions)
                 .arg(counts.rolledBackTransactions));
    out.line(QStringLiteral("Delivered     %1 over HTTP to a receiver on this machine").arg(report.accepted));
    out.line(QStringLiteral("Received      %1, duplicates %2").arg(counts.received).arg(counts.duplicates));
    out.line(QStringLiteral("Retried       %1 attempts that failed at first").arg(report.retried));
    out.line(QStringLiteral("Dead letters  %1, of which %2 were replayed after the receiver was repaired")
                 .arg(report.deadLetters)
                 .arg(report.replayed));
    if (report.good())
        out.line(QStringLiteral("Every committed message was received, and none of a rolled-back transaction."));
    else
        out.line(QStringLiteral("%1 committed messages were not received; %2 of rolled-back transactions were.")
                     .arg(report.missing)
                     .arg(report.phantoms));
}

class Demo final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("demo", "Stage, deliver and receive, and compare both ends");
        command.option("--transactions", transactions_, "How many transactions (default 300)")
            .typeName("N")
            .range(1, 100'000);
        command.footer(
            "Really stages messages in transactions, some rolled back; delivers them over HTTP to a receiver inside\n"
            "the program; lets some fail, become dead letters and be replayed. Exit 0 only if exactly the committed\n"
            "messages were received. Without --store it uses an embedded store of its own, whatever OUTBOX_STORE and\n"
            "the settings file say. A given store gets the schema if it has none, and keeps the demo's records and\n"
            "its route \"demo.*\".\n\n"
            "JSON members: transactions_committed, transactions_rolled_back, committed, received, duplicates,\n"
            "dispatched, retried, dead_letters, replayed, missing, rolled_back_but_received.");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        const auto server = context.server(demo::demoStore());
        if (!server)
            return server.error();
        int from = 0;
        if (const auto migrated = bringUp(*server, from); !migrated)
            return failureOf(migrated.error(), context.storeName());
        if (!context.json()) {
            context.out().line(QStringLiteral("Store         ") + context.storeName());
            context.out().flush();
        }
        StopSignals signals_;
        DemoRun demo(*server, transactions_);
        QObject::connect(&signals_, &StopSignals::requested, &demo, &DemoRun::stop);
        QObject::connect(&demo, &DemoRun::ended, qApp, &QCoreApplication::quit, Qt::QueuedConnection);
        demo.start();
        QCoreApplication::exec();
        const auto report = demo.report();
        if (context.json())
            printJson(context.out(), report);
        else
            printText(context.out(), report);
        if (signals_.exitCode() != 0)
            return static_cast<ExitCode>(signals_.exitCode());
        return report.good() ? ExitCode::ok : ExitCode::problems;
    }

private:
    int transactions_ = 300;
};

} // namespace

std::unique_ptr<Command> makeDemo() { return std::make_unique<Demo>(); }

} // namespace outbox::cli
