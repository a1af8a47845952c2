// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"
#include "cli/failures.h"
#include "cli/specification_text.h"
#include "operations/specifications.h"
#include "specification/load.h"

namespace outbox::cli {

namespace {

const char *const footer =
    R"(A specification says of one reaction what is promised about its deliveries; several files, several YAML documents a
file. See app/specification/README.md for every field.

  check       reads the files and says all that is wrong, with file, line, field and reason; opens no store
  apply       checks them, then applies all or none to the store, audited; needs the role outbox_operator
  list        what the store has, and which staged types have no active specification
  unspecified states what staging does with a type that has no active specification: refuse or accept. Until
              somebody states it: accept before the first apply, refuse from then on

Drafts that nobody decided in time are warnings: they are told and change no exit code. Exit 2: something is wrong in
the files, or the store refuses them (a changed document without a higher version, a message with two active
specifications); nothing was applied then. JSON: check gives one object with valid, specifications (id, version,
status), warnings and errors (file, line, column, field, reason); apply gives one object a line with id, version,
outcome (inserted, updated, retired, unchanged); list gives one object with unspecified (the rule), specifications
and types_without_specification.

Example:
  outbox spec check specifications/*.yaml && outbox --store postgresql:///orders spec apply specifications/*.yaml)";

QStringList namesOf(const std::vector<std::string> &files)
{
    QStringList names;
    for (const auto &each : files)
        names << QString::fromStdString(each);
    return names;
}

class Spec final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("spec", "Check, apply and list delivery specifications");
        command.footer(footer);
        command.requireCommand();
        check_ = command.command("check", "Say all that is wrong in the files");
        apply_ = command.command("apply", "Apply the files to the store, all or none");
        list_ = command.command("list", "Print what the store has");
        unspecified_ = command.command("unspecified", "Refuse or accept types without specification");
        for (auto each : {check_, apply_})
            each.option("FILES", files_, "Specifications (YAML)").required();
        unspecified_.option("RULE", rule_, "refuse or accept").required().oneOf({"refuse", "accept"});
        for (auto each : {check_, apply_, list_, unspecified_})
            each.footer("`outbox spec --help` tells more, exit codes and JSON members included.");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        if (check_.given())
            return check(context);
        if (apply_.given())
            return apply(context);
        return list_.given() ? list(context) : stateRule(context);
    }

private:
    [[nodiscard]] Result<app::LoadedSpecifications, app::SettingsErrors> load() const
    {
        return app::loadSpecifications(namesOf(files_), QDateTime::currentDateTimeUtc().date());
    }

    Result<ExitCode, Failure> check(Context &context) const
    {
        const auto loaded = load();
        if (context.json()) {
            context.out().line(loaded ? jsonOfChecked(*loaded) : jsonOfErrors(loaded.error()));
            return loaded ? ExitCode::ok : ExitCode::bad_input;
        }
        if (!loaded)
            return Failure{ExitCode::bad_input, app::textOf(loaded.error())};
        for (const auto &line : checkedLines(*loaded))
            context.out().line(line);
        return ExitCode::ok;
    }

    Result<ExitCode, Failure> apply(Context &context) const
    {
        const auto loaded = load();
        if (!loaded)
            return Failure{ExitCode::bad_input, app::textOf(loaded.error())};
        const auto connection = open(context, true);
        if (!connection)
            return connection.error();
        const auto applied = operations::applySpecifications(**connection, loaded->specifications);
        if (!applied)
            return failureOf(applied.error(), context.storeName());
        for (const auto &each : *applied)
            context.out().line(context.json() ? jsonOf(each) : lineOf(each).toUtf8());
        if (!context.json())
            for (const auto &each : loaded->warnings)
                context.out().line(QStringLiteral("warning: ") + oneLine(each.text()));
        return context.json() ? Result<ExitCode, Failure>(ExitCode::ok) : warnOfUnspecified(context, **connection);
    }

    /// What is in use and will be refused from now on is said at once.
    static Result<ExitCode, Failure> warnOfUnspecified(Context &context, store::Connection &connection)
    {
        const auto list = operations::specifications(connection);
        if (!list)
            return failureOf(list.error(), context.storeName());
        if (!list->unspecified.isEmpty())
            context.out().line(unspecifiedLine(*list));
        return ExitCode::ok;
    }

    static Result<ExitCode, Failure> list(Context &context)
    {
        const auto connection = open(context, false);
        if (!connection)
            return connection.error();
        const auto list = operations::specifications(**connection);
        if (!list)
            return failureOf(list.error(), context.storeName());
        if (context.json())
            context.out().line(jsonOf(*list));
        else
            printList(context.out(), *list);
        return ExitCode::ok;
    }

    [[nodiscard]] Result<ExitCode, Failure> stateRule(Context &context) const
    {
        const auto connection = open(context, true);
        if (!connection)
            return connection.error();
        const auto rule = rule_ == "refuse" ? api::UnspecifiedTypes::refuse : api::UnspecifiedTypes::accept;
        if (const auto done = operations::setUnspecifiedTypes(**connection, rule); !done)
            return failureOf(done.error(), context.storeName());
        if (context.json())
            context.out().line(JsonObject().add("unspecified", operations::ruleName(rule)).text());
        else
            context.out().line(ruleLine(rule));
        return ExitCode::ok;
    }

    static Result<std::unique_ptr<store::Connection>, Failure> open(Context &context, bool write)
    {
        store::ConnectionSettings settings;
        settings.purpose = QStringLiteral("outbox-spec");
        settings.needWrite = write;
        return context.connect(settings);
    }

    Arguments check_;
    Arguments apply_;
    Arguments list_;
    Arguments unspecified_;
    std::vector<std::string> files_;
    std::string rule_;
};

} // namespace

std::unique_ptr<Command> makeSpec() { return std::make_unique<Spec>(); }

} // namespace outbox::cli
