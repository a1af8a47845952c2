// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "source_tree.h"

#include <QList>
#include <QString>

#include <optional>

namespace outbox::architecture {

/// One breach of a rule.
struct Finding {
    int line = 0;
    QString what;
};

/// The file's licence line is missing or not the one of its top folder.
std::optional<QString> licenceProblem(const SourceFile &file);

QList<Finding> translatedTexts(const SourceFile &file);
QList<Finding> sqlTexts(const SourceFile &file);
QList<Finding> contextlessConnects(const SourceFile &file);
QList<Finding> sleeps(const SourceFile &file);
QList<Finding> leftForLater(const SourceFile &file);
QList<Finding> placesOutside(const SourceFile &file);

} // namespace outbox::architecture
