// SPDX-License-Identifier: Apache-2.0
#include "store/migrator.h"

#include "store/connection.h"
#include "store/statements.h"

#include <QSqlError>
#include <QSqlQuery>

#include <array>

namespace outbox::store {

namespace {

StoreError failure(const QSqlError &error, Effect effect)
{
    // Without an SQLSTATE the server said nothing: the connection is gone.
    return translate(error, !error.nativeErrorCode().isEmpty(), effect);
}

Result<Done, StoreError> runText(QSqlDatabase &database, const QString &text, const QVariantList &parameters,
                                 Effect effect)
{
    QSqlQuery query(database);
    if (parameters.isEmpty()) {
        if (!query.exec(text))
            return failure(query.lastError(), effect);
        return Done{};
    }
    if (!query.prepare(text))
        return failure(query.lastError(), Effect::reads);
    for (const auto &parameter : parameters)
        query.addBindValue(parameter);
    if (!query.exec())
        return failure(query.lastError(), effect);
    return Done{};
}

Result<Done, StoreError> apply(QSqlDatabase &database, const Migration &migration)
{
    if (!database.transaction())
        return failure(database.lastError(), Effect::reads);
    auto done = runText(database, migration.text, {}, Effect::reads);
    if (done)
        done = runText(database, statementText("note_migration"),
                       {migration.version, migration.name, migration.checksum}, Effect::reads);
    if (!done) {
        database.rollback();
        return done;
    }
    if (!database.commit())
        return failure(database.lastError(), Effect::writes);
    return Done{};
}

/// Holds the advisory lock of migrations for its lifetime.
class MigrationLock {
public:
    explicit MigrationLock(QSqlDatabase &database) : database_(database) {}
    MigrationLock(const MigrationLock &) = delete;
    MigrationLock &operator=(const MigrationLock &) = delete;
    ~MigrationLock()
    {
        if (held_)
            (void)runText(database_, statementText("migration_unlock"), {}, Effect::reads);
    }
    Result<Done, StoreError> take()
    {
        auto done = runText(database_, statementText("migration_lock"), {}, Effect::reads);
        held_ = done.ok();
        return done;
    }

private:
    QSqlDatabase &database_;
    bool held_ = false;
};

} // namespace

Result<std::optional<int>, StoreError> installedVersion(QSqlDatabase database)
{
    QSqlQuery exists(database);
    if (!exists.exec(statementText("schema_exists")) || !exists.next())
        return failure(exists.lastError(), Effect::reads);
    if (!exists.value(0).toBool())
        return std::optional<int>();
    QSqlQuery applied(database);
    if (!applied.exec(statementText("schema_version")))
        return failure(applied.lastError(), Effect::reads);
    const auto own = migrations();
    int version = 0;
    while (applied.next()) {
        version = applied.value(0).toInt();
        if (version <= own.size() && applied.value(2).toString() != own[version - 1].checksum)
            return StoreError(SchemaDiffers{applied.value(1).toString()});
    }
    return std::optional<int>(version);
}

Result<MigrationReport, StoreError> migrate(QSqlDatabase database)
{
    MigrationLock lock(database);
    if (auto taken = lock.take(); !taken)
        return taken.error();
    const auto installed = installedVersion(database);
    if (!installed)
        return installed.error();
    const int from = installed->value_or(0);
    if (from > schemaVersion())
        return StoreError(SchemaTooNew{from, schemaVersion()});
    for (const auto &migration : migrations()) {
        if (migration.version <= from)
            continue;
        if (auto done = apply(database, migration); !done)
            return done.error();
    }
    return MigrationReport{from, schemaVersion()};
}

} // namespace outbox::store
