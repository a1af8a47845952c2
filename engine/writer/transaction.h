// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/store_error.h"

#include <QSqlDatabase>
#include <QString>

#include <optional>
#include <variant>

class QSqlQuery;

namespace outbox::writer {

/// The connection has no open transaction: a message staged there would commit on its own, whatever became of
/// the change it tells of.
struct NoTransaction {};
/// The connection is closed, or no connection to PostgreSQL by QtSql's QPSQL.
struct NotUsable {
    QString text;
};

/// Why nothing was staged or remembered. A store::Refused carries the SQLSTATE (OB001 to OB009, OB014) and its hint;
/// PostgreSQL then wants the transaction rolled back, to a savepoint at least.
using StageError = std::variant<NoTransaction, NotUsable, store::StoreError>;
QString describe(const StageError &error);

/// What hinders a statement in the caller's own transaction; nothing: it is open and well.
std::optional<StageError> transactionProblem(const QSqlDatabase &connection);
/// What the failure of a statement on that connection means.
StageError statementError(const QSqlQuery &query, const QSqlDatabase &connection);

} // namespace outbox::writer
