// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace outbox::architecture {

/// One file of the project.
struct SourceFile {
    QString path; ///< from the project's root, "engine/base/result.h"
    QString text;

    [[nodiscard]] QString folder() const { return path.section(QLatin1Char('/'), 0, -2); }
    [[nodiscard]] QString name() const { return path.section(QLatin1Char('/'), -1); }
    [[nodiscard]] QString top() const { return path.section(QLatin1Char('/'), 0, 0); }
    [[nodiscard]] bool isCode() const;
};

/// A quoted or bracketed include, with its line number.
struct Include {
    QString target;
    bool quoted = false;
    int line = 0;
};

/// Every text file of the project that people write: no build folder, no downloaded module, nothing hidden
/// but .ci.
const QList<SourceFile> &projectFiles();
/// Only those under one of these folders whose name ends with one of these.
QList<SourceFile> filesUnder(const QStringList &folders, const QStringList &endings);
/// There is such a file, from the project's root.
bool exists(const QString &path);

QList<Include> includesOf(const SourceFile &file);

/// The code without its comments, line for line; texts in quotes are kept, or emptied when asked so.
enum class Texts { kept, emptied };
QString withoutComments(const QString &code, Texts texts);
/// The texts in quotes of a piece of code, adjacent ones joined as the compiler does.
QStringList quotedTexts(const QString &code);

int lineOf(const QString &text, qsizetype position);

/// All problems as one text for QVERIFY2, one a line.
QByteArray report(const QStringList &problems);

} // namespace outbox::architecture
