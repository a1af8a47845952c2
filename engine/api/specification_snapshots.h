// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "domain/ids.h"
#include "domain/specification/specification.h"

#include <QByteArray>
#include <QDate>
#include <QList>
#include <QString>

#include <optional>

namespace outbox::api {

/// What applying did to one specification: "inserted", "updated", "retired" or "unchanged".
struct AppliedSpecification {
    SpecificationId id;
    SpecificationVersion version;
    QString outcome;
};

/// What staging does with a type that has no active specification (S2).
enum class UnspecifiedTypes { accept, refuse };

/// One specification as the store has it.
struct SpecificationRow {
    SpecificationId id;
    SpecificationVersion version;
    QString status; ///< "draft", "active" or "retired"
    QString kind;   ///< the name of a message kind
    DestinationName destination;
    QString guarantee;               ///< "at_least_once" or "best_effort"
    QList<MessageContract> messages; ///< in the order of the document
    std::optional<QDate> decideBy;   ///< of a draft
    bool overdue = false;            ///< a draft that nobody decided in time, by the database's clock
    Timestamp appliedAt;
    QString appliedBy;   ///< the database login
    QByteArray document; ///< JSON, whole
};

/// All that the store knows about specifications.
struct SpecificationList {
    QList<SpecificationRow> specifications; ///< by id
    UnspecifiedTypes rule = UnspecifiedTypes::accept;
    QList<MessageContract> unspecified; ///< messages that were staged and have no active specification
};

} // namespace outbox::api
