// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "store/store_address.h"
#include "store/store_error.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>
#include <QVariantList>

#include <functional>
#include <memory>
#include <unordered_map>

namespace outbox::store {

/// May the statement leave something behind? Decides what a lost answer means: a read is simply
/// unavailable, a write is in doubt.
enum class Effect { reads, writes };

/// How a connection of the engine behaves.
struct ConnectionSettings {
    QString purpose = QStringLiteral("outbox"); ///< application_name, and part of the connection's name
    milliseconds connectTimeout{5000};
    milliseconds statementTimeout{30000}; ///< 0: none
    milliseconds lockTimeout{5000};       ///< 0: none
    bool needSchema = true;               ///< refuse a schema that is missing, older or newer
    bool needWrite = false;               ///< refuse a standby or a read-only database
};

/// One session with PostgreSQL through QtSql: opened, used and closed in one thread, and named after its
/// purpose. Time zone UTC, ISO dates. Statements are the files of engine/store/sql, prepared once.
///
/// After a broken session every call answers Unavailable; make a new Connection then.
class Connection {
public:
    /// Blocks at most about connectTimeout. Checks what the settings need.
    static Result<std::unique_ptr<Connection>, StoreError> open(const ServerAddress &address,
                                                                const ConnectionSettings &settings);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    /// Runs the named statement ("claim" is engine/store/sql/claim.sql) with its parameters in order of its
    /// question marks. The query stands before its first row; it stays valid until the next run of the same name.
    Result<QSqlQuery *, StoreError> run(const char *statement, const QVariantList &parameters, Effect effect);

    /// Runs `body` in one transaction: commits when it gives a value, rolls back when it gives an error.
    /// A commit whose answer was lost is InDoubt.
    template <typename T>
    Result<T, StoreError> transaction(const std::function<Result<T, StoreError>()> &body)
    {
        if (auto begun = begin(); !begun)
            return begun.error();
        auto result = body();
        if (!result) {
            rollback();
            return result;
        }
        if (auto ended = commit(); !ended)
            return ended.error();
        return result;
    }

    /// Calls back in this thread at every notification on the channel, while this session and `context` live.
    Result<Done, StoreError> listen(const QString &channel, QObject *context, std::function<void()> notified);

    /// False after the session broke.
    [[nodiscard]] bool isUsable() const { return usable_; }
    /// The handle for LISTEN and for code that speaks QtSql itself.
    [[nodiscard]] QSqlDatabase database() const { return database_; }
    /// The login that the server knows us by.
    [[nodiscard]] QString sessionUser() const { return sessionUser_; }
    /// How many statements this connection has sent: for tests and the console's own load.
    [[nodiscard]] qint64 statementCount() const { return statements_; }

private:
    Connection(QSqlDatabase database, QString name);
    Result<Done, StoreError> begin();
    Result<Done, StoreError> commit();
    void rollback();
    Result<Done, StoreError> prepareSession(const ConnectionSettings &settings);
    StoreError failed(const QSqlError &error, Effect effect);

    QSqlDatabase database_;
    QString name_;
    QString sessionUser_;
    std::unordered_map<std::string, std::unique_ptr<QSqlQuery>> prepared_;
    qint64 statements_ = 0;
    bool usable_ = true;
};

/// What a QtSql error means. `connected` tells whether the session still lives.
StoreError translate(const QSqlError &error, bool connected, Effect effect);

} // namespace outbox::store
