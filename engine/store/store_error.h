// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <variant>

namespace outbox::store {

/// The store cannot serve: down, starting, full, no rights, a standby. Nothing was done.
struct Unavailable {
    enum class Why {
        unreachable, ///< nothing listens, or the connection broke before the request went out
        starting,    ///< starting up, shutting down or recovering
        no_schema,   ///< the database has no schema `outbox`
        no_rights,   ///< the role may not do this
        too_many_connections,
        read_only, ///< a standby, or default_transaction_read_only
        no_database,
        authentication,
        timeout,   ///< no answer within the statement or lock timeout
        resources, ///< disk or memory full
        embedded,  ///< the private PostgreSQL cannot be made or started; the text says why
    };
    Why why = Why::unreachable;
    QString text; ///< what the server or the network said, one line
};
/// The server broke the transaction off because of what others did at the same time (SQLSTATE class 40): nothing
/// happened, and the same again may well succeed.
struct Conflict {
    QString text;
};
/// The request went out and its answer was lost: done or not, nobody knows.
struct InDoubt {
    QString text;
};
/// The server refused the request; our schema's own SQLSTATEs begin with "OB".
struct Refused {
    QString sqlState;
    QString text;
    QString hint;
};
/// The schema is older than this program needs; `outbox migrate` brings it up.
struct SchemaTooOld {
    int found = 0;
    int needed = 0;
};
/// The schema is newer than this program knows; a newer program is needed.
struct SchemaTooNew {
    int found = 0;
    int known = 0;
};

/// Another build made the schema: a migration of that number has another text in this program. Released ones never
/// change, so one of the two builds was none.
struct SchemaDiffers {
    QString migration; ///< "0002_tables", as the store calls it
};

/// Whose fault it was, and whether anything may have happened. Never uses up an attempt.
using StoreError = std::variant<Unavailable, Conflict, InDoubt, Refused, SchemaTooOld, SchemaTooNew, SchemaDiffers>;

/// One sentence that names the thing and the way out. Never a password.
QString describe(const StoreError &error);
/// A short stable name for logs and metrics: "unreachable", "no-schema", "refused" ...
QString nameOf(const StoreError &error);
/// The store as a whole cannot be worked with now: readiness closes (S14, S15).
bool isOutage(const StoreError &error);

} // namespace outbox::store
