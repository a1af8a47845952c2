// SPDX-License-Identifier: Apache-2.0
#include "operations/errors.h"

#include "base/result.h"

namespace outbox::operations {

api::OperationError operationError(const store::StoreError &error)
{
    using Kind = api::OperationError::Kind;
    const Kind kind =
        std::visit(overload{
                       [](const store::Unavailable &e) {
                           return e.why == store::Unavailable::Why::timeout ? Kind::timeout : Kind::unavailable;
                       },
                       [](const store::Conflict &) { return Kind::refused; },
                       [](const store::InDoubt &) { return Kind::unavailable; },
                       [](const store::Refused &e) {
                           return e.sqlState == QLatin1String("P0002") ? Kind::not_found : Kind::refused;
                       },
                       [](const store::SchemaTooOld &) { return Kind::unavailable; },
                       [](const store::SchemaTooNew &) { return Kind::unavailable; },
                       [](const store::SchemaDiffers &) { return Kind::unavailable; },
                   },
                   error);
    return {kind, store::describe(error)};
}

} // namespace outbox::operations
