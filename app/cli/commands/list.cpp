// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"
#include "cli/failures.h"
#include "cli/record_text.h"
#include "operations/record_list.h"

#include <algorithm>

namespace outbox::cli {

namespace {

constexpr int longestPage = 500;
constexpr int scanBudget = 100'000; ///< nobody waits for a page here, only for the end

JsonObject jsonOf(const api::RecordRow &row)
{
    JsonObject object;
    object.add("id", toText(row.id))
        .add("kind", row.kind)
        .add("type", row.type)
        .add("schema_version", row.version)
        .addText("tenant", row.tenant)
        .addText("destination", row.destination)
        .add("staged_at", isoTime(row.stagedAt));
    addState(object, row.state);
    return object;
}

QStringList cellsOf(const api::RecordRow &row)
{
    return {toText(row.id),
            stateText(row.state),
            QString::number(attemptsOf(row.state)),
            QStringLiteral("%1 v%2").arg(oneLine(row.type)).arg(row.version),
            row.destination.isEmpty() ? QStringLiteral("(no route)") : oneLine(row.destination),
            shortTime(row.stagedAt),
            stateDetail(row.state)};
}

class List final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("list", "List records, newest first");
        command.option("--state", states_, "Only these: pending, processing, dispatched, dead_letter")
            .separatedBy(',')
            .typeName("STATE,...");
        command.option("--type", type_, "Only this message type").typeName("TYPE");
        command.option("--tenant", tenant_, "Only this tenant").typeName("TENANT");
        command.option("--destination", destination_, "Only for this destination").typeName("NAME");
        command.option("--limit", limit_, "At most that many (default 50)").typeName("N").range(1, 10'000'000);
        command.option("--before", before_, "Only what is listed after this id: the next page").typeName("ID");
        command.footer(
            "The next page: pass the last id of this one as --before. Ids that carry no time of the present\n"
            "come after those that do. JSON: one object a line; members id, kind, type, schema_version,\n"
            "tenant, destination, staged_at, state, attempts, and what the state has: next_attempt_at;\n"
            "lease_expires_at, fence; dispatched_at; failed_at, cause, reason.");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        const auto filter = readFilter();
        if (!filter)
            return filter.error();
        std::optional<api::RecordCursor> cursor;
        if (!before_.empty()) {
            const auto id = parseId(before_);
            if (!id)
                return id.error();
            cursor = api::RecordCursor{*id};
        }
        store::ConnectionSettings settings;
        settings.purpose = QStringLiteral("outbox-list");
        const auto connection = context.connect(settings);
        if (!connection)
            return connection.error();
        return print(context, **connection, *filter, cursor);
    }

private:
    Result<api::RecordFilter, Failure> readFilter() const
    {
        api::RecordFilter filter;
        for (const auto &name : states_) {
            const auto state = stateFromName(name);
            if (!state)
                return Failure{ExitCode::bad_input,
                               QStringLiteral("--state: \"%1\" is no state; use pending, processing, dispatched or "
                                              "dead_letter")
                                   .arg(QString::fromStdString(name))};
            filter.states.insert(*state);
        }
        filter.type = QString::fromStdString(type_);
        filter.tenant = QString::fromStdString(tenant_);
        filter.destination = QString::fromStdString(destination_);
        return filter;
    }

    /// Goes on by itself where a page ended early.
    Result<ExitCode, Failure> print(Context &context, store::Connection &connection, const api::RecordFilter &filter,
                                    std::optional<api::RecordCursor> cursor) const
    {
        const QStringList head{QStringLiteral("ID"),   QStringLiteral("STATE"),       QStringLiteral("ATTEMPTS"),
                               QStringLiteral("TYPE"), QStringLiteral("DESTINATION"), QStringLiteral("STAGED"),
                               QStringLiteral("")};
        Table table(head);
        int left = limit_;
        do {
            const auto page =
                operations::recordList(connection, filter, cursor, std::min(left, longestPage), scanBudget);
            if (!page)
                return failureOf(page.error(), context.storeName());
            for (const auto &row : page->rows) {
                if (context.json())
                    context.out().line(jsonOf(row).text());
                else
                    table.add(cellsOf(row));
            }
            left -= static_cast<int>(page->rows.size());
            cursor = page->next;
        } while (left > 0 && cursor && !context.out().broken());
        if (!context.json()) {
            if (left == limit_)
                context.out().line(QStringLiteral("No such records."));
            else
                table.print(context.out());
            if (cursor)
                context.out().line(
                    QStringLiteral("There is more: outbox list --before %1").arg(toText(cursor->before)));
        }
        return ExitCode::ok;
    }

    std::vector<std::string> states_;
    std::string type_;
    std::string tenant_;
    std::string destination_;
    std::string before_;
    int limit_ = 50;
};

} // namespace

std::unique_ptr<Command> makeList() { return std::make_unique<List>(); }

} // namespace outbox::cli
