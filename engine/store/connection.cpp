// SPDX-License-Identifier: Apache-2.0
#include "store/connection.h"

#include "store/migrator.h"
#include "store/statements.h"

#include <QSqlDriver>
#include <QSqlError>
#include <QStringList>

#include <libpq-fe.h>

#include <atomic>
#include <utility>

namespace outbox::store {

namespace {

QString nextConnectionName(const QString &purpose)
{
    static std::atomic<quint64> counter{0};
    return QStringLiteral("%1-%2").arg(purpose).arg(++counter);
}

bool isAlive(const QSqlDatabase &database)
{
    if (!database.isOpen() || database.driver() == nullptr)
        return false;
    const QVariant handle = database.driver()->handle();
    if (!handle.isValid())
        return false;
    auto *connection = *static_cast<PGconn *const *>(handle.constData());
    return connection != nullptr && PQstatus(connection) == CONNECTION_OK;
}

} // namespace

StoreError translate(const QSqlError &error, bool connected, Effect effect)
{
    using Why = Unavailable::Why;
    const QString state = error.nativeErrorCode();
    QString text = error.databaseText().trimmed();
    QString hint;
    const qsizetype hintAt = text.indexOf(QLatin1String("HINT:"));
    if (hintAt > 0) {
        hint = text.mid(hintAt + 5).section(QLatin1Char('\n'), 0, 0).trimmed();
        text = text.left(hintAt).trimmed();
    }
    text = text.section(QLatin1Char('\n'), 0, 0);
    if (text.startsWith(QLatin1String("ERROR:")))
        text = text.mid(6).trimmed();
    if (text.startsWith(QLatin1String("FATAL:")))
        text = text.mid(6).trimmed();
    // The driver puts the SQLSTATE in parentheses behind the text.
    const QString tail = QStringLiteral("(%1)").arg(state);
    if (!state.isEmpty() && text.endsWith(tail))
        text = text.chopped(tail.size()).trimmed();

    if (state == QLatin1String("57P01") || state == QLatin1String("57P02") || state == QLatin1String("57P03") ||
        text.contains(QLatin1String("the database system is")))
        return Unavailable{Why::starting, text};
    if (state == QLatin1String("53300") || text.contains(QLatin1String("too many clients")) ||
        text.contains(QLatin1String("too many connections")) ||
        text.contains(QLatin1String("remaining connection slots")))
        return Unavailable{Why::too_many_connections, text};
    if (state.startsWith(QLatin1String("53")) || state == QLatin1String("58030"))
        return Unavailable{Why::resources, text};
    if (state.startsWith(QLatin1String("28")) || text.contains(QLatin1String("authentication failed")) ||
        text.contains(QLatin1String("no password supplied")))
        return Unavailable{Why::authentication, text};
    if (state == QLatin1String("3D000") ||
        (!connected && text.contains(QLatin1String("does not exist")) && text.contains(QLatin1String("database"))))
        return Unavailable{Why::no_database, text};
    if (!connected || state.startsWith(QLatin1String("08")))
        return effect == Effect::writes ? StoreError(InDoubt{text}) : StoreError(Unavailable{Why::unreachable, text});
    if (state == QLatin1String("3F000") || state == QLatin1String("42P01") || state == QLatin1String("42883"))
        return Unavailable{Why::no_schema, text};
    if (state == QLatin1String("42501"))
        return Unavailable{Why::no_rights, text};
    if (state == QLatin1String("25006"))
        return Unavailable{Why::read_only, text};
    if (state == QLatin1String("57014") || state == QLatin1String("55P03"))
        return Unavailable{Why::timeout, text};
    if (state.startsWith(QLatin1String("40")) && state != QLatin1String("40003"))
        return Conflict{text};
    return Refused{state, text, hint};
}

Connection::Connection(QSqlDatabase database, QString name) : database_(std::move(database)), name_(std::move(name)) {}

Connection::~Connection()
{
    prepared_.clear();
    database_.close();
    database_ = QSqlDatabase();
    QSqlDatabase::removeDatabase(name_);
}

Result<std::unique_ptr<Connection>, StoreError> Connection::open(const ServerAddress &address,
                                                                 const ConnectionSettings &settings)
{
    const QString name = nextConnectionName(settings.purpose);
    auto database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), name);
    if (!database.isValid()) {
        database = QSqlDatabase();
        QSqlDatabase::removeDatabase(name);
        return StoreError(Unavailable{Unavailable::Why::unreachable,
                                      QStringLiteral("the QtSql driver QPSQL is missing; install libqt6sql6-psql")});
    }
    database.setHostName(address.host);
    if (address.port != 0)
        database.setPort(address.port);
    database.setDatabaseName(address.database);
    database.setUserName(address.user);
    database.setPassword(address.password);
    QStringList options;
    if (!address.options.isEmpty())
        options << address.options;
    const auto wholeSeconds = std::chrono::ceil<seconds>(settings.connectTimeout).count();
    if (!address.options.contains(QLatin1String("connect_timeout")))
        options << QStringLiteral("connect_timeout=%1").arg(wholeSeconds);
    if (!address.options.contains(QLatin1String("application_name")))
        options << QStringLiteral("application_name='%1'").arg(settings.purpose);
    // A peer that went silent is noticed while an answer is awaited, too.
    if (!address.options.contains(QLatin1String("keepalives")))
        options << QStringLiteral("keepalives_idle=10;keepalives_interval=5;keepalives_count=3");
    if (!address.options.contains(QLatin1String("tcp_user_timeout")))
        options << QStringLiteral("tcp_user_timeout=20000");
    database.setConnectOptions(options.join(QLatin1Char(';')));

    // The only handle from here on: QtSql complains about a second one when the connection goes.
    std::unique_ptr<Connection> made(new Connection(std::exchange(database, QSqlDatabase()), name));
    if (!made->database_.open()) {
        const auto error = made->database_.lastError();
        made->usable_ = false;
        return translate(error, false, Effect::reads);
    }
    if (auto prepared = made->prepareSession(settings); !prepared)
        return prepared.error();
    return made;
}

Result<Done, StoreError> Connection::prepareSession(const ConnectionSettings &settings)
{
    const auto set =
        run("session_settings",
            {QString::number(settings.statementTimeout.count()), QString::number(settings.lockTimeout.count())},
            Effect::reads);
    if (!set)
        return set.error();
    bool readOnly = false;
    if ((*set)->next()) {
        sessionUser_ = (*set)->value(0).toString();
        readOnly = (*set)->value(1).toBool();
    }
    if (settings.needWrite && readOnly)
        return StoreError(Unavailable{Unavailable::Why::read_only, {}});
    if (!settings.needSchema)
        return Done{};
    const auto version = installedVersion(database_);
    if (!version)
        return version.error();
    if (!version->has_value())
        return StoreError(Unavailable{Unavailable::Why::no_schema, {}});
    if (**version < schemaVersion())
        return StoreError(SchemaTooOld{**version, schemaVersion()});
    if (**version > schemaVersion())
        return StoreError(SchemaTooNew{**version, schemaVersion()});
    return Done{};
}

StoreError Connection::failed(const QSqlError &error, Effect effect)
{
    if (!isAlive(database_))
        usable_ = false;
    return translate(error, usable_, effect);
}

Result<QSqlQuery *, StoreError> Connection::run(const char *statement, const QVariantList &parameters, Effect effect)
{
    if (!usable_)
        return StoreError(Unavailable{Unavailable::Why::unreachable, QStringLiteral("the connection was lost before")});
    auto &query = prepared_[statement];
    ++statements_;
    if (!query) {
        auto fresh = std::make_unique<QSqlQuery>(database_);
        if (!fresh->prepare(statementText(statement)))
            return failed(fresh->lastError(), Effect::reads);
        query = std::move(fresh);
    }
    for (qsizetype i = 0; i < parameters.size(); ++i)
        query->bindValue(static_cast<int>(i), parameters[i]);
    if (!query->exec())
        return failed(query->lastError(), effect);
    return query.get();
}

Result<Done, StoreError> Connection::listen(const QString &channel, QObject *context, std::function<void()> notified)
{
    auto *driver = database_.driver();
    QObject::connect(
        driver, qOverload<const QString &, QSqlDriver::NotificationSource, const QVariant &>(&QSqlDriver::notification),
        context, [channel, call = std::move(notified)](const QString &name) {
            if (name == channel)
                call();
        });
    if (!driver->subscribeToNotification(channel))
        return failed(driver->lastError(), Effect::reads);
    return Done{};
}

Result<Done, StoreError> Connection::begin()
{
    if (!usable_)
        return StoreError(Unavailable{Unavailable::Why::unreachable, QStringLiteral("the connection was lost before")});
    if (!database_.transaction())
        return failed(database_.lastError(), Effect::reads);
    return Done{};
}

Result<Done, StoreError> Connection::commit()
{
    if (!database_.commit())
        return failed(database_.lastError(), Effect::writes);
    return Done{};
}

void Connection::rollback()
{
    if (usable_ && !database_.rollback() && !isAlive(database_))
        usable_ = false;
}

} // namespace outbox::store
