// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/id_range.h"
#include "store/connection.h"

#include <QVariantList>

namespace outbox::operations {

/// A statement that lists records of one kind, with the values of its filters.
struct RecordSource {
    const char *statement;
    QVariantList filters;
};

/// What one look through a source gave, in the list's order.
struct Scanned {
    QList<api::RecordRow> rows;
    std::optional<QUuid> reached; ///< all up to here is told of; nothing: all there is
};

/// Goes through the ranges until there are `limit` rows, until `budget` ids were looked at, or to the end. Begins
/// with a few ids and asks for more and more, so a filter that fits often costs little.
Result<Scanned, store::StoreError> scan(store::Connection &connection, const RecordSource &source,
                                        const std::vector<IdRange> &ranges, int limit, int budget);

/// Puts together what several sources gave: one page, with the cursor from which to go on.
api::RecordPage pageOf(const QList<Scanned> &sources, int limit);

} // namespace outbox::operations
