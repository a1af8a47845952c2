// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/log.h"
#include "cli/command.h"
#include "cli/worker_run.h"

namespace outbox::cli {

namespace {

class Run final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("run", "Deliver what is due, until stopped");
        command.flag("--quiet", quiet_, "Log warnings and errors only");
        command.footer(
            "Needs --config with destinations and routes. Logs one line for each event to standard error. Run as\n"
            "many as you like on as many machines. A store that is away is waited for.\n\n"
            "SIGINT or SIGTERM: no more claims, what is in flight ends within `worker.grace`, the rest is given back,\n"
            "exit 0. A second signal ends it at once (130, 143); its records come back when their leases run out.\n\n"
            "A settings file:\n"
            "  store: postgresql:///orders\n"
            "  destinations:\n"
            "    payments:\n"
            "      http: { url: https://pay.example/outbox, timeout: 10s, concurrency: 16 }\n"
            "    broker:\n"
            "      amqp: { url: amqp://guest@127.0.0.1:5672/%2f, password: {env: RABBIT_PASSWORD}, routing_key: "
            "\"{type}\" }\n"
            "  routes:\n"
            "    - { type: \"payments.*\", destination: payments }\n"
            "    - { type: \"*\", destination: broker }");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        log::toStandardError(quiet_ ? log::Level::warning : log::Level::info);
        const auto ended = runWorker(context, Until::stopped);
        if (!ended)
            return ended.error();
        return ExitCode::ok;
    }

private:
    bool quiet_ = false;
};

} // namespace

std::unique_ptr<Command> makeRun() { return std::make_unique<Run>(); }

} // namespace outbox::cli
