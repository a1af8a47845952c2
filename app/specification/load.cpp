// SPDX-License-Identifier: GPL-3.0-or-later
#include "specification/load.h"

#include "specification/read.h"

#include <QFile>
#include <QHash>

#include <algorithm>
#include <utility>

namespace outbox::app {

namespace {

struct Place {
    QString file;
    int line = 0;
};

QString textOf(const Place &place) { return QStringLiteral("%1:%2").arg(place.file).arg(place.line); }

/// What the documents of all files share: who said what first.
class Documents {
public:
    explicit Documents(QDate today) : today_(today) {}

    void add(Reading &reading, const ReadSpecification &read)
    {
        checkId(reading, read);
        if (std::holds_alternative<Active>(read.specification.status))
            claimMessages(reading, read);
        warnIfOverdue(reading, read);
        loaded_.specifications.append(read.specification);
    }
    [[nodiscard]] const LoadedSpecifications &loaded() const { return loaded_; }

private:
    void checkId(Reading &reading, const ReadSpecification &read)
    {
        const QString id = read.specification.id.value();
        if (const auto first = ids_.constFind(id); first != ids_.constEnd())
            reading.fail(read.id, QStringLiteral("id"),
                         QStringLiteral("there is a specification '%1' already, in %2").arg(id, textOf(*first)));
        else
            ids_.insert(id, {reading.file, read.id.line + 1});
    }

    void claimMessages(Reading &reading, const ReadSpecification &read)
    {
        for (qsizetype i = 0; i < read.messages.size(); ++i) {
            const auto &message = read.specification.messages[i];
            const std::pair key(message.type.value(), message.version.value());
            if (const auto first = messages_.constFind(key); first != messages_.constEnd())
                reading.fail(read.messages[i].mark, read.messages[i].path,
                             QStringLiteral("%1 version %2 has an active specification already, in %3")
                                 .arg(key.first)
                                 .arg(key.second)
                                 .arg(textOf(*first)));
            else
                messages_.insert(key, {reading.file, read.messages[i].mark.line + 1});
        }
    }

    void warnIfOverdue(const Reading &reading, const ReadSpecification &read)
    {
        const auto *draft = std::get_if<Draft>(&read.specification.status);
        if (draft == nullptr || !isOverdue(*draft, today_))
            return;
        loaded_.warnings.append(
            {reading.file, read.decideBy.line + 1, read.decideBy.column + 1, QStringLiteral("decide_by"),
             QStringLiteral("the draft '%1' was to be decided by %2 until %3")
                 .arg(read.specification.id.value(), draft->decider, draft->decideBy.toString(Qt::ISODate))});
    }

    QDate today_;
    QHash<QString, Place> ids_;
    QHash<std::pair<QString, int>, Place> messages_;
    LoadedSpecifications loaded_;
};

/// The errors of one file, in the order of its lines.
SettingsErrors readFile(const SpecificationText &text, Documents &documents)
{
    Reading reading{text.name, QString(), {}, {}, {}};
    try {
        const auto nodes = YAML::LoadAll(text.text.toStdString());
        bool any = false;
        for (const auto &node : nodes) {
            if (node.IsNull()) // nothing between two "---"
                continue;
            any = true;
            if (const auto read = readSpecification(reading, node))
                documents.add(reading, *read);
        }
        if (!any)
            reading.errors.append({text.name, 0, 0, QString(), QStringLiteral("there is no specification in it")});
    } catch (const YAML::Exception &problem) {
        reading.fail(problem.mark, QString(), QStringLiteral("not YAML: %1").arg(QString::fromStdString(problem.msg)));
    }
    std::ranges::stable_sort(reading.errors, {},
                             [](const SettingsError &each) { return std::pair(each.line, each.column); });
    return reading.errors;
}

} // namespace

Result<LoadedSpecifications, SettingsErrors> parseSpecifications(const QList<SpecificationText> &texts, QDate today)
{
    Documents documents(today);
    SettingsErrors errors;
    for (const auto &text : texts)
        errors += readFile(text, documents);
    if (!errors.isEmpty())
        return errors;
    return documents.loaded();
}

Result<LoadedSpecifications, SettingsErrors> loadSpecifications(const QStringList &files, QDate today)
{
    QList<SpecificationText> texts;
    SettingsErrors unreadable;
    for (const auto &path : files) {
        QFile file(path);
        if (file.open(QIODevice::ReadOnly))
            texts.append({path, file.readAll()});
        else
            unreadable.append(
                {path, 0, 0, QString(), QStringLiteral("the file cannot be read: %1").arg(file.errorString())});
    }
    const auto parsed = parseSpecifications(texts, today);
    if (!unreadable.isEmpty())
        return parsed ? unreadable : unreadable + parsed.error();
    return parsed;
}

} // namespace outbox::app
