// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/specification_snapshots.h"
#include "store/connection.h"

namespace outbox::operations {

/// Applies all of them or none, in one transaction, audited with the database login (S1, S2). One verdict each, in
/// their order. Refused: a changed document without a higher version (OB051), a reaction that needs no outbox (OB052),
/// a message that has another active specification (OB053). Blocks; the connection's thread.
Result<QList<api::AppliedSpecification>, store::StoreError>
applySpecifications(store::Connection &connection, const QList<Specification> &specifications);

/// What the store has. Work grows with the number of specifications and lanes, not of records. Blocks; the
/// connection's thread.
Result<api::SpecificationList, store::StoreError> specifications(store::Connection &connection);

/// States what staging does with a type that has no active specification; audited. Blocks; the connection's thread.
Result<Done, store::StoreError> setUnspecifiedTypes(store::Connection &connection, api::UnspecifiedTypes rule);

/// "accept" or "refuse".
QString ruleName(api::UnspecifiedTypes rule);

} // namespace outbox::operations
