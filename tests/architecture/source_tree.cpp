// SPDX-License-Identifier: Apache-2.0
#include "source_tree.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace outbox::architecture {

namespace {

const QString &root()
{
    static const QString path = QStringLiteral(OUTBOX_PROJECT_ROOT);
    return path;
}

bool isSkipped(const QString &name)
{
    static const QStringList skipped{QStringLiteral("build"), QStringLiteral("node_modules")};
    return skipped.contains(name) || (name.startsWith(QLatin1Char('.')) && name != QLatin1String(".ci"));
}

bool isText(const QString &name)
{
    static const QStringList endings{
        QStringLiteral(".h"),    QStringLiteral(".cpp"),  QStringLiteral(".sql"), QStringLiteral(".sh"),
        QStringLiteral(".txt"),  QStringLiteral(".md"),   QStringLiteral(".ui"),  QStringLiteral(".qss"),
        QStringLiteral(".qrc"),  QStringLiteral(".yaml"), QStringLiteral(".yml"), QStringLiteral(".cmake"),
        QStringLiteral(".mjs"),  QStringLiteral(".js"),   QStringLiteral(".py"),  QStringLiteral(".ts"),
        QStringLiteral(".json"), QStringLiteral(".toml"), QStringLiteral(".in"),  QStringLiteral("run")};
    return std::any_of(endings.begin(), endings.end(), [&](const QString &ending) { return name.endsWith(ending); });
}

void collect(const QString &folder, QList<SourceFile> &files)
{
    const QDir dir(root() + QLatin1Char('/') + folder);
    const auto entries = dir.entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const auto &entry : entries) {
        const QString path = folder.isEmpty() ? entry.fileName() : folder + QLatin1Char('/') + entry.fileName();
        if (isSkipped(entry.fileName()))
            continue;
        if (entry.isDir()) {
            collect(path, files);
        } else if (isText(entry.fileName())) {
            QFile file(entry.filePath());
            if (file.open(QIODevice::ReadOnly))
                files << SourceFile{path, QString::fromUtf8(file.readAll())};
        }
    }
}

/// Walks over code and tells what each character belongs to.
class Scanner {
public:
    explicit Scanner(const QString &code) : code_(code) {}

    template <typename Handler>
    void run(Handler &&handle)
    {
        for (at_ = 0; at_ < code_.size();) {
            if (startsWith("//"))
                until(QStringLiteral("\n"), 0, Part::comment, handle);
            else if (startsWith("/*"))
                until(QStringLiteral("*/"), 2, Part::comment, handle);
            else if (startsWith("R\""))
                rawText(handle);
            else if (code_[at_] == QLatin1Char('"'))
                text(handle);
            else if (code_[at_] == QLatin1Char('\'') && !isDigitSeparator())
                character(handle);
            else
                handle(Part::code, code_.mid(at_++, 1));
        }
    }

    enum class Part { code, comment, text };

private:
    [[nodiscard]] bool startsWith(const char *token) const
    {
        return QStringView(code_).mid(at_).startsWith(QLatin1String(token));
    }
    [[nodiscard]] bool isDigitSeparator() const { return at_ > 0 && code_[at_ - 1].isDigit(); }

    template <typename Handler>
    void until(const QString &end, qsizetype keep, Part part, Handler &&handle)
    {
        qsizetype found = code_.indexOf(end, at_ + 2);
        found = found < 0 ? code_.size() : found + keep;
        handle(part, code_.mid(at_, found - at_));
        at_ = found;
    }
    template <typename Handler>
    void rawText(Handler &&handle)
    {
        const qsizetype open = code_.indexOf(QLatin1Char('('), at_);
        const QString end = QLatin1Char(')') + code_.mid(at_ + 2, open - at_ - 2) + QLatin1Char('"');
        qsizetype close = code_.indexOf(end, open);
        close = close < 0 ? code_.size() : close;
        handle(Part::text, code_.mid(open + 1, close - open - 1));
        at_ = close + end.size();
    }
    template <typename Handler>
    void text(Handler &&handle)
    {
        qsizetype end = at_ + 1;
        while (end < code_.size() && code_[end] != QLatin1Char('"') && code_[end] != QLatin1Char('\n'))
            end += code_[end] == QLatin1Char('\\') ? 2 : 1;
        handle(Part::text, code_.mid(at_ + 1, end - at_ - 1));
        at_ = end + 1;
    }
    template <typename Handler>
    void character(Handler &&handle)
    {
        qsizetype end = at_ + 1;
        while (end < code_.size() && code_[end] != QLatin1Char('\'') && code_[end] != QLatin1Char('\n'))
            end += code_[end] == QLatin1Char('\\') ? 2 : 1;
        handle(Part::code, QStringLiteral("' '"));
        at_ = end + 1;
    }

    const QString &code_;
    qsizetype at_ = 0;
};

QString lineBreaksOf(const QString &text) { return QString(text.count(QLatin1Char('\n')), QLatin1Char('\n')); }

} // namespace

bool SourceFile::isCode() const { return path.endsWith(QLatin1String(".h")) || path.endsWith(QLatin1String(".cpp")); }

const QList<SourceFile> &projectFiles()
{
    static const QList<SourceFile> files = [] {
        QList<SourceFile> found;
        collect(QString(), found);
        return found;
    }();
    return files;
}

QList<SourceFile> filesUnder(const QStringList &folders, const QStringList &endings)
{
    QList<SourceFile> chosen;
    for (const auto &file : projectFiles()) {
        const bool inside = std::any_of(folders.begin(), folders.end(), [&](const QString &folder) {
            return folder.isEmpty() || file.path.startsWith(folder + QLatin1Char('/'));
        });
        const bool ends = std::any_of(endings.begin(), endings.end(),
                                      [&](const QString &ending) { return file.path.endsWith(ending); });
        if (inside && ends)
            chosen << file;
    }
    return chosen;
}

bool exists(const QString &path) { return QFileInfo::exists(root() + QLatin1Char('/') + path); }

QList<Include> includesOf(const SourceFile &file)
{
    static const QRegularExpression pattern(QStringLiteral("^\\s*#\\s*include\\s*([\"<])([^\">]+)[\">]"));
    QList<Include> found;
    int line = 0;
    for (const auto &each : file.text.split(QLatin1Char('\n'))) {
        ++line;
        if (const auto match = pattern.match(each); match.hasMatch())
            found << Include{match.captured(2), match.captured(1) == QLatin1String("\""), line};
    }
    return found;
}

QString withoutComments(const QString &code, Texts texts)
{
    QString rest;
    Scanner(code).run([&](Scanner::Part part, const QString &piece) {
        if (part == Scanner::Part::comment)
            rest += lineBreaksOf(piece);
        else if (part == Scanner::Part::code)
            rest += piece;
        else
            rest += QLatin1Char('"') + (texts == Texts::kept ? piece : lineBreaksOf(piece)) + QLatin1Char('"');
    });
    return rest;
}

QStringList quotedTexts(const QString &code)
{
    QStringList found;
    bool joins = false;
    Scanner(code).run([&](Scanner::Part part, const QString &piece) {
        if (part == Scanner::Part::text) {
            if (joins)
                found.last() += piece;
            else
                found << piece;
            joins = true;
        } else if (part == Scanner::Part::code && !piece.trimmed().isEmpty()) {
            joins = false;
        }
    });
    return found;
}

int lineOf(const QString &text, qsizetype position)
{
    return static_cast<int>(QStringView(text).left(position).count(QLatin1Char('\n'))) + 1;
}

QByteArray report(const QStringList &problems) { return QByteArray("\n") + problems.join(QLatin1Char('\n')).toUtf8(); }

} // namespace outbox::architecture
