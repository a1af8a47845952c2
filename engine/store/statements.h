// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace outbox::store {

/// The text of engine/store/sql/<name>.sql, compiled into the program. A name that does not exist is a
/// programming error and ends the program.
QString statementText(const char *name);
/// Every statement's name, sorted: for the test that prepares them all.
QStringList statementNames();

/// One numbered migration, compiled in.
struct Migration {
    int version = 0;
    QString name; ///< "0002_tables"
    QString text;
    QString checksum; ///< of the text, SHA-256 in hexadecimal
};
/// All of them, in order, without gaps.
QList<Migration> migrations();
/// The version that this program needs and knows.
int schemaVersion();

} // namespace outbox::store
