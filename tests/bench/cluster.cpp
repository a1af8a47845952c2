// SPDX-License-Identifier: Apache-2.0
#include "cluster.h"

#include "beside.h"
#include "store/connection.h"
#include "store/migrator.h"
#include "support/servers/psql.h"

#include <QFile>

namespace outbox::bench {

using namespace Qt::StringLiterals;

QString beside(const QString &path) { return QStringLiteral(OUTBOX_BENCH_SOURCE "/") + path; }

QByteArray payload()
{
    QFile file(beside(u"payload.json"_s));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
}

QMap<QString, QString> Database::environment() const { return servers::clientEnvironment(address_); }

Result<Done, QString> Database::migrate() const
{
    auto connection = store::Connection::open(address_, {.purpose = u"outbox-bench"_s, .needSchema = false});
    if (!connection) {
        return store::describe(connection.error());
    }
    auto report = store::migrate((*connection)->database());
    if (!report) {
        return store::describe(report.error());
    }
    return Done{};
}

Result<QByteArray, QString> Database::text(const QString &name, const QMap<QString, QString> &variables) const
{
    return servers::psql(address_, beside(u"sql/"_s + name + u".sql"_s), variables);
}

Result<std::vector<double>, QString> Database::script(const QString &name,
                                                      const QMap<QString, QString> &variables) const
{
    auto out = text(name, variables);
    if (!out) {
        return out.error();
    }
    std::vector<double> numbers;
    const auto lines = out->trimmed().split('\n');
    for (const auto &column : lines.last().split('|')) {
        numbers.push_back(column.toDouble());
    }
    return numbers;
}

Cluster::Cluster() = default;

Result<std::unique_ptr<Cluster>, QString> Cluster::start(const QString &given)
{
    auto cluster = std::unique_ptr<Cluster>(new Cluster);
    if (given.isEmpty()) {
        // Under root the server runs as another account, which has to come through here.
        QFile::setPermissions(cluster->folder_.path(), QFile::permissions(cluster->folder_.path()) | QFile::ExeOther);
        auto own = store::EmbeddedStore::open({.folder = cluster->folder_.filePath(u"store"_s)}, seconds{60},
                                              {.durable = true,
                                               .configuration = {u"shared_buffers = 512MB"_s, u"max_wal_size = 4GB"_s},
                                               .binaries = {},
                                               .account = {}});
        if (!own) {
            return store::describe(own.error());
        }
        cluster->own_ = std::move(own).value();
        cluster->maintenance_ = cluster->own_->address();
        return cluster;
    }
    auto address = store::parseStoreAddress(given);
    if (!address) {
        return address.error();
    }
    const auto *server = std::get_if<store::ServerAddress>(&*address);
    if (server == nullptr) {
        return u"--store takes a PostgreSQL server here; leave it out for a private one"_s;
    }
    cluster->maintenance_ = *server;
    return cluster;
}

Cluster::~Cluster()
{
    if (own_ != nullptr) {
        return; // The databases go with it.
    }
    for (const auto &name : made_) {
        [[maybe_unused]] const auto dropped = named(maintenance_.database).text(u"drop"_s, {{u"name"_s, name}});
    }
}

Database Cluster::named(const QString &name) const
{
    auto address = maintenance_;
    address.database = name;
    return Database(address);
}

Result<Database, QString> Cluster::make(const QString &name)
{
    const auto full = u"outbox_bench_"_s + name;
    auto created = named(maintenance_.database).text(u"create"_s, {{u"name"_s, full}});
    if (!created) {
        return created.error();
    }
    made_ << full;
    auto database = named(full);
    auto migrated = database.migrate();
    if (!migrated) {
        return migrated.error();
    }
    auto routed = database.text(u"route"_s);
    if (!routed) {
        return routed.error();
    }
    return database;
}

Result<std::unique_ptr<SnapshotHolder>, QString> SnapshotHolder::hold(const Database &database)
{
    auto holder = std::unique_ptr<SnapshotHolder>(new SnapshotHolder);
    auto environment = QProcessEnvironment::systemEnvironment();
    const auto variables = database.environment();
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        environment.insert(it.key(), it.value());
    }
    holder->psql_.setProcessEnvironment(environment);
    holder->psql_.start(u"psql"_s, {u"-XqAt"_s});
    holder->psql_.write("\\i '" + beside(u"sql/snapshot.sql"_s).toUtf8() + "'\n");
    if (!holder->psql_.waitForReadyRead(10000)) {
        return u"no session could be made to hold a snapshot: "_s +
               QString::fromUtf8(holder->psql_.readAllStandardError());
    }
    return holder;
}

SnapshotHolder::~SnapshotHolder()
{
    psql_.closeWriteChannel();
    psql_.waitForFinished(10000);
}

} // namespace outbox::bench
