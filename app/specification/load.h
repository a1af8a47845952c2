// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "domain/specification/specification.h"
#include "settings/settings_error.h"

#include <QByteArray>
#include <QDate>
#include <QList>
#include <QString>
#include <QStringList>

namespace outbox::app {

/// A file's name for errors, and what is in it.
struct SpecificationText {
    QString name;
    QByteArray text;
};

/// All that some files say together.
struct LoadedSpecifications {
    QList<Specification> specifications; ///< in the order of files and documents
    SettingsErrors warnings;             ///< drafts that nobody decided in time
};

/// Reads and checks specifications: several files, several documents a file. All that is wrong in them is told
/// together, with file, line, field and reason (S1); so is an id that stands twice, and a message that two active ones
/// claim, each naming both places. `today` tells which drafts are overdue.
Result<LoadedSpecifications, SettingsErrors> loadSpecifications(const QStringList &files, QDate today);

/// The same for texts.
Result<LoadedSpecifications, SettingsErrors> parseSpecifications(const QList<SpecificationText> &texts, QDate today);

} // namespace outbox::app
