// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "store/store_error.h"

#include <QSqlDatabase>

#include <optional>

namespace outbox::store {

/// The schema's version in this database; nothing when there is no schema. SchemaDiffers when a migration that this
/// program has, too, was applied with another text.
Result<std::optional<int>, StoreError> installedVersion(QSqlDatabase database);

struct MigrationReport {
    int from = 0; ///< 0: there was no schema
    int to = 0;
};

/// Brings the schema up to this program's version: every missing migration in a transaction of its own, under
/// an advisory lock, so that two programs may try at once. Needs an open connection of the role that is to own
/// the schema, with no transaction open. Refuses a newer schema and one of another build. Running it again changes
/// nothing.
Result<MigrationReport, StoreError> migrate(QSqlDatabase database);

} // namespace outbox::store
