// SPDX-License-Identifier: Apache-2.0
#include "support/servers/psql.h"

#include "support/servers/program.h"

namespace outbox::servers {

using namespace Qt::StringLiterals;

QMap<QString, QString> clientEnvironment(const store::ServerAddress &address)
{
    QMap<QString, QString> variables{{u"PGDATABASE"_s, address.database}};
    const auto put = [&variables](const QString &name, const QString &value) {
        if (!value.isEmpty()) {
            variables.insert(name, value);
        }
    };
    put(u"PGHOST"_s, address.host);
    put(u"PGPORT"_s, address.port > 0 ? QString::number(address.port) : QString());
    put(u"PGUSER"_s, address.user);
    put(u"PGPASSWORD"_s, address.password);
    return variables;
}

Result<QByteArray, QString> psql(const store::ServerAddress &address, const QString &file,
                                 const QMap<QString, QString> &variables)
{
    QStringList arguments{u"-XqAt"_s, u"-v"_s, u"ON_ERROR_STOP=1"_s};
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        arguments << u"-v"_s << it.key() + u'=' + it.value();
    }
    arguments << u"-f"_s << file;
    return run({.program = u"psql"_s, .arguments = arguments, .environment = clientEnvironment(address)});
}

} // namespace outbox::servers
