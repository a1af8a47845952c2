// SPDX-License-Identifier: Apache-2.0
#include "writer/transaction.h"

#include "base/result.h"
#include "store/connection.h"

#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>

#include <libpq-fe.h>

namespace outbox::writer {

namespace {

/// The caller's session, or nothing when it is none of PostgreSQL's.
PGconn *sessionOf(const QSqlDatabase &connection)
{
    if (!connection.isOpen() || connection.driver() == nullptr || connection.driverName() != QLatin1String("QPSQL"))
        return nullptr;
    const QVariant handle = connection.driver()->handle();
    return handle.isValid() ? *static_cast<PGconn *const *>(handle.constData()) : nullptr;
}

} // namespace

QString describe(const StageError &error)
{
    return std::visit(overload{
                          [](const NoTransaction &) {
                              return QStringLiteral("the connection has no open transaction; begin one, change your "
                                                    "data and stage in it, then commit");
                          },
                          [](const NotUsable &e) { return e.text; },
                          [](const store::StoreError &e) { return store::describe(e); },
                      },
                      error);
}

std::optional<StageError> transactionProblem(const QSqlDatabase &connection)
{
    const PGconn *session = sessionOf(connection);
    if (session == nullptr)
        return NotUsable{QStringLiteral("the connection is not an open one of QtSql's driver QPSQL")};
    switch (PQtransactionStatus(session)) {
    case PQTRANS_INTRANS: return std::nullopt;
    case PQTRANS_INERROR:
        return NotUsable{QStringLiteral("the connection's transaction has failed; roll it back first")};
    case PQTRANS_IDLE: return NoTransaction{};
    case PQTRANS_ACTIVE: return NotUsable{QStringLiteral("the connection is busy with another statement")};
    case PQTRANS_UNKNOWN: break;
    }
    return NotUsable{QStringLiteral("the connection to the store is broken")};
}

StageError statementError(const QSqlQuery &query, const QSqlDatabase &connection)
{
    const auto *session = sessionOf(connection);
    const bool alive = session != nullptr && PQstatus(session) == CONNECTION_OK;
    return store::translate(query.lastError(), alive, store::Effect::reads);
}

} // namespace outbox::writer
