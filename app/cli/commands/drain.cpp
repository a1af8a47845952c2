// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/log.h"
#include "cli/command.h"
#include "cli/json_object.h"
#include "cli/worker_run.h"

namespace outbox::cli {

namespace {

class Drain final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("drain", "Deliver what is due, then end");
        command.flag("--verbose", verbose_, "Log every event, not warnings only");
        command.footer(
            "Needs --config as `run` does. Ends with 0 when nothing is due for its destinations and nothing\n"
            "of its own is in flight; records that wait for a later attempt stay. A signal ends it in good\n"
            "order before that (130, 143). JSON members: claimed, accepted, retried, dead, released,\n"
            "refused.");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        log::toStandardError(verbose_ ? log::Level::info : log::Level::warning);
        // A worker waits for a store that is away; somebody who drains wants to know.
        store::ConnectionSettings settings;
        settings.purpose = QStringLiteral("outbox-drain");
        settings.needWrite = true;
        if (const auto reachable = context.connect(settings); !reachable)
            return reachable.error();
        const auto ended = runWorker(context, Until::drained);
        if (!ended)
            return ended.error();
        print(context, ended->status);
        return ended->signal == 0 ? ExitCode::ok : static_cast<ExitCode>(ended->signal);
    }

private:
    static void print(Context &context, const runtime::WorkerStatus &status)
    {
        if (context.json())
            context.out().line(JsonObject()
                                   .add("claimed", status.claimed)
                                   .add("accepted", status.accepted)
                                   .add("retried", status.retried)
                                   .add("dead", status.dead)
                                   .add("released", status.released)
                                   .add("refused", status.refused)
                                   .text());
        else
            context.out().line(QStringLiteral("%1 delivered, %2 to be tried again, %3 dead letters, %4 given back.")
                                   .arg(status.accepted)
                                   .arg(status.retried)
                                   .arg(status.dead)
                                   .arg(status.released));
    }

    bool verbose_ = false;
};

} // namespace

std::unique_ptr<Command> makeDrain() { return std::make_unique<Drain>(); }

} // namespace outbox::cli
