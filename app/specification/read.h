// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/specification/specification.h"
#include "settings/section.h"

#include <optional>

namespace outbox::app {

/// Where one message of a document stands.
struct MessagePlace {
    QString path; ///< "messages[0].versions[1]"
    YAML::Mark mark;
};

/// One document, and where in its file stands what other documents may contradict.
struct ReadSpecification {
    Specification specification;
    YAML::Mark id;
    YAML::Mark decideBy;          ///< of a draft
    QList<MessagePlace> messages; ///< one for each message, in their order
};

/// Reads one document and checks it whole (S1, S2). Whatever is wrong is noted in the Reading with its line and field;
/// then there is nothing.
std::optional<ReadSpecification> readSpecification(Reading &reading, const YAML::Node &document);

} // namespace outbox::app
