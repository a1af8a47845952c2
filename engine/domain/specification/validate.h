// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/specification/specification.h"

#include <QList>
#include <QString>

namespace outbox {

/// One thing that is wrong in a specification.
struct SpecificationProblem {
    QString field; ///< the path to it, as the YAML form names it: "retry.cap", "messages[1].type"
    QString reason;
};

/// Everything that keeps this specification from being one, in the order of its fields; empty: it is right.
/// A field that is missing is empty or zero here (S1). An active one that is best-effort and that operators can repeat
/// by hand is refused: it needs no outbox, but AfterCommitPublisher (S2).
[[nodiscard]] QList<SpecificationProblem> problemsOf(const Specification &specification);

} // namespace outbox
