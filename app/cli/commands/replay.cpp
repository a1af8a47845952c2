// SPDX-License-Identifier: GPL-3.0-or-later
#include "operations/replay.h"

#include "cli/command.h"
#include "cli/failures.h"
#include "cli/record_text.h"

#include <QFile>

namespace outbox::cli {

namespace {

JsonObject jsonOf(const api::ReplayVerdict &verdict)
{
    JsonObject object;
    object.add("id", toText(verdict.id)).add("replayed", verdict.replayed);
    if (!verdict.replayed)
        object.add("why", verdict.why);
    return object;
}

class Replay final : public Command {
public:
    Arguments declare(Arguments program) override
    {
        auto command = program.command("replay", "Put dead letters back to pending, audited");
        command.option("ID", ids_, "The dead letters; - reads ids from standard input, one a line").required();
        command.option("--reason", reason_, "What was repaired; kept for ever").required().typeName("TEXT");
        command.footer("Same id, same payload, attempts from the beginning. Time, reason and the database login are\n"
                       "kept. Ids that are no dead letters are refused one by one (exit 1), the others are replayed;\n"
                       "each thousand ids is one transaction. JSON: one object a line; members id, replayed, why.");
        return command;
    }

    Result<ExitCode, Failure> run(Context &context) override
    {
        const auto ids = readIds();
        if (!ids)
            return ids.error();
        const QString reason = QString::fromStdString(reason_);
        if (reason.trimmed().isEmpty())
            return Failure{
                ExitCode::bad_input,
                QStringLiteral("--reason is blank; say what was repaired, so that the next person can tell")};
        store::ConnectionSettings settings;
        settings.purpose = QStringLiteral("outbox-replay");
        settings.needWrite = true;
        const auto connection = context.connect(settings);
        if (!connection)
            return connection.error();
        int replayed = 0;
        int refused = 0;
        for (qsizetype at = 0; at < ids->size(); at += operations::mostReplayed) {
            const auto done = operations::replay(**connection, ids->mid(at, operations::mostReplayed), reason);
            if (!done)
                return failureOf(done.error(), context.storeName());
            for (const auto &verdict : done->verdicts) {
                verdict.replayed ? ++replayed : ++refused;
                print(context, verdict);
            }
        }
        if (!context.json())
            context.out().line(QStringLiteral("%1 replayed, %2 refused.").arg(replayed).arg(refused));
        return refused == 0 ? ExitCode::ok : ExitCode::problems;
    }

private:
    static void print(Context &context, const api::ReplayVerdict &verdict)
    {
        if (context.json())
            context.out().line(jsonOf(verdict).text());
        else
            context.out().line(QStringLiteral("%1  %2").arg(
                toText(verdict.id), verdict.replayed ? QStringLiteral("replayed") : verdict.why));
    }

    Result<QList<MessageId>, Failure> readIds() const
    {
        std::vector<std::string> texts = ids_;
        if (texts.size() == 1 && texts.front() == "-") {
            texts.clear();
            QFile input;
            if (!input.open(stdin, QIODevice::ReadOnly))
                return Failure{ExitCode::bad_input, QStringLiteral("standard input cannot be read")};
            for (const auto &line : input.readAll().split('\n'))
                if (!line.trimmed().isEmpty())
                    texts.push_back(line.trimmed().toStdString());
        }
        QList<MessageId> ids;
        for (const auto &text : texts) {
            const auto id = parseId(text);
            if (!id)
                return id.error();
            if (!ids.contains(*id))
                ids << *id;
        }
        return ids;
    }

    std::vector<std::string> ids_;
    std::string reason_;
};

} // namespace

std::unique_ptr<Command> makeReplay() { return std::make_unique<Replay>(); }

} // namespace outbox::cli
