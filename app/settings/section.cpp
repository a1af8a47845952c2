// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/section.h"

#include "settings/duration.h"
#include "settings/spelling.h"

#include <QDir>
#include <QFileInfo>

namespace outbox::app {

namespace {

QString kindOf(const YAML::Node &node)
{
    switch (node.Type()) {
    case YAML::NodeType::Map: return QStringLiteral("a mapping");
    case YAML::NodeType::Sequence: return QStringLiteral("a list");
    case YAML::NodeType::Null: return QStringLiteral("nothing");
    case YAML::NodeType::Scalar: return QStringLiteral("'%1'").arg(QString::fromStdString(node.Scalar()).left(60));
    case YAML::NodeType::Undefined: break;
    }
    return QStringLiteral("nothing");
}

} // namespace

void Reading::fail(const YAML::Mark &mark, const QString &key, const QString &problem)
{
    errors.append({file, mark.line + 1, mark.column + 1, key, problem});
}

Section::Section(Reading &reading, const YAML::Node &node, const YAML::Mark &mark, QString path, QStringList known)
    : reading_(&reading), mark_(mark), path_(std::move(path))
{
    if (!node.IsMap()) {
        reading.fail(node.IsNull() ? mark : node.Mark(), path_,
                     known.isEmpty() ? QStringLiteral("expected a mapping, found %1").arg(kindOf(node))
                                     : QStringLiteral("expected a mapping with the keys %1, found %2")
                                           .arg(known.join(QStringLiteral(", ")), kindOf(node)));
        return;
    }
    for (const auto &each : node) {
        const auto key = each.first.IsScalar() ? QString::fromStdString(each.first.Scalar()) : QString();
        if (key.isEmpty())
            reading.fail(each.first.Mark(), path_,
                         QStringLiteral("expected a name as key, found %1").arg(kindOf(each.first)));
        else if (!known.isEmpty() && !known.contains(key))
            reading.fail(each.first.Mark(), this->path(key),
                         QStringLiteral("unknown key%1; expected one of %2")
                             .arg(didYouMean(key, known), known.join(QStringLiteral(", "))));
        else if (entries_.contains(key))
            reading.fail(each.first.Mark(), this->path(key),
                         QStringLiteral("given twice, first in line %1").arg(entries_.value(key).mark.line + 1));
        else {
            entries_.insert(key, {each.second, each.first.Mark()});
            order_.append(key);
        }
    }
}

QString Section::path(const QString &key) const { return path_.isEmpty() ? key : path_ + u'.' + key; }

void Section::fail(const QString &key, const QString &problem) const
{
    const YAML::Node value = node(key);
    reading_->fail(value.IsNull() ? mark(key) : value.Mark(), path(key), problem);
}

void Section::require(const QString &key, const QString &expected)
{
    if (!has(key))
        reading_->fail(mark_, path(key), QStringLiteral("missing; expected %1").arg(expected));
}

std::optional<QString> Section::text(const QString &key) const
{
    if (!has(key))
        return std::nullopt;
    const YAML::Node value = node(key);
    if (value.IsScalar())
        return QString::fromStdString(value.Scalar());
    fail(key, QStringLiteral("expected a text, found %1").arg(kindOf(value)));
    return std::nullopt;
}

std::optional<int> Section::number(const QString &key, int least, int most) const
{
    if (!has(key))
        return std::nullopt;
    const YAML::Node value = node(key);
    bool isNumber = false;
    const int number = value.IsScalar() ? QString::fromStdString(value.Scalar()).toInt(&isNumber) : 0;
    if (isNumber && number >= least && number <= most)
        return number;
    fail(key,
         QStringLiteral("expected a whole number from %1 to %2, found %3").arg(least).arg(most).arg(kindOf(value)));
    return std::nullopt;
}

std::optional<milliseconds> Section::duration(const QString &key, milliseconds least, milliseconds most) const
{
    if (!has(key))
        return std::nullopt;
    const YAML::Node value = node(key);
    const auto span = value.IsScalar() ? parseDuration(QString::fromStdString(value.Scalar())) : std::nullopt;
    if (span && *span >= least && *span <= most)
        return span;
    fail(key, QStringLiteral("expected a duration from %1 to %2, a number with ms, s, m, h or d, found %3")
                  .arg(durationText(least), durationText(most), kindOf(value)));
    return std::nullopt;
}

std::optional<bool> Section::flag(const QString &key) const
{
    const auto chosen = choice(key, {QStringLiteral("true"), QStringLiteral("false")});
    return chosen ? std::optional(*chosen == QStringLiteral("true")) : std::nullopt;
}

std::optional<QString> Section::choice(const QString &key, const QStringList &choices) const
{
    if (!has(key))
        return std::nullopt;
    const YAML::Node value = node(key);
    const auto given = value.IsScalar() ? QString::fromStdString(value.Scalar()) : QString();
    if (choices.contains(given))
        return given;
    fail(key, QStringLiteral("expected %1, found %2").arg(choices.join(QStringLiteral(" or ")), kindOf(value)));
    return std::nullopt;
}

std::optional<QString> Section::existingFile(const QString &key) const
{
    const auto given = text(key);
    if (!given)
        return std::nullopt;
    const QString path = QDir::cleanPath(QDir(reading_->folder).absoluteFilePath(*given));
    const QFileInfo info(path);
    if (info.isFile() && info.isReadable())
        return path;
    fail(key, info.exists() ? QStringLiteral("the file %1 cannot be read").arg(path)
                            : QStringLiteral("there is no file %1").arg(path));
    return std::nullopt;
}

Section Section::section(const QString &key, QStringList known) const
{
    return {*reading_, node(key), mark(key), path(key), std::move(known)};
}

} // namespace outbox::app
