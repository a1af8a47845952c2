// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/specification/delivery_target.h"
#include "settings/section.h"

#include <QDate>

#include <optional>

namespace outbox::app {

// What a specification's sections hold beyond the values that settings have. Each gives nothing when the key is not
// there, and notes in the section's Reading what is wrong with one that is.

/// The place of the given word among `words`.
std::optional<qsizetype> choice(const Section &section, const QString &key, const QStringList &words);
/// true or false.
std::optional<bool> truth(const Section &section, const QString &key);
/// "99.9%".
std::optional<Share> percentage(const Section &section, const QString &key);
/// "2027-01-31".
std::optional<QDate> date(const Section &section, const QString &key);
/// A list, each element with its path ("redact[0]"); notes when it is no list, or an empty one.
QList<std::pair<QString, YAML::Node>> elements(const Section &section, const QString &key, const QString &expected);

} // namespace outbox::app
