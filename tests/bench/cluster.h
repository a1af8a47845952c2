// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "store/embedded_store.h"
#include "store/store_address.h"

#include <QByteArray>
#include <QMap>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>
#include <vector>

namespace outbox::bench {

/// The text of the payload that every bench stages, publishes and compares with.
QByteArray payload();

/// One database of the cluster. A value.
class Database {
public:
    explicit Database(store::ServerAddress address) : address_(std::move(address)) {}

    [[nodiscard]] const store::ServerAddress &address() const { return address_; }
    /// PGHOST and so on: what psql, pgbench, node and QtSql understand alike.
    [[nodiscard]] QMap<QString, QString> environment() const;
    /// Brings the outbox schema up to this program's version.
    [[nodiscard]] Result<Done, QString> migrate() const;
    /// Runs tests/bench/sql/NAME.sql. Gives the numbers of the last line it printed.
    [[nodiscard]] Result<std::vector<double>, QString> script(const QString &name,
                                                              const QMap<QString, QString> &variables = {}) const;
    /// The same, as text.
    [[nodiscard]] Result<QByteArray, QString> text(const QString &name,
                                                   const QMap<QString, QString> &variables = {}) const;

private:
    store::ServerAddress address_;
};

/// Where the benches run: a private PostgreSQL, durable, with room in memory, or one that was given. Every
/// bench makes the databases it needs; they are gone when the cluster is.
class Cluster {
public:
    /// `given` is the value of --store; empty: a private one. The role must be a superuser.
    static Result<std::unique_ptr<Cluster>, QString> start(const QString &given);
    Cluster(const Cluster &) = delete;
    Cluster &operator=(const Cluster &) = delete;
    ~Cluster();

    /// A new empty database with the outbox schema in it.
    Result<Database, QString> make(const QString &name);

private:
    Cluster();
    [[nodiscard]] Database named(const QString &name) const;

    QTemporaryDir folder_;
    std::unique_ptr<store::EmbeddedStore> own_;
    store::ServerAddress maintenance_;
    QStringList made_;
};

/// Another session that holds a snapshot, as a report, a dump or a forgotten transaction does. It lets go
/// when it goes out of scope.
class SnapshotHolder {
public:
    static Result<std::unique_ptr<SnapshotHolder>, QString> hold(const Database &database);
    ~SnapshotHolder();

private:
    SnapshotHolder() = default;
    QProcess psql_;
};

} // namespace outbox::bench
