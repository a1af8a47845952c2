// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QString>

#include <variant>

namespace outbox::store {

/// A PostgreSQL somewhere, as libpq's key words; the password is kept apart from everything that is shown.
struct ServerAddress {
    QString host; ///< name, address, or the folder of a Unix socket; empty: libpq's default
    int port = 0; ///< 0: libpq's default
    QString database;
    QString user;
    QString password;
    QString options; ///< further libpq key words, "key=value;key=value", as QtSql takes them
};

/// The private PostgreSQL that the program runs itself in this folder.
struct EmbeddedAddress {
    QString folder; ///< absolute
};

/// Which store: the value of --store.
using StoreAddress = std::variant<ServerAddress, EmbeddedAddress>;

/// Takes "postgresql://..." or a libpq "key=value ..." text, or "embedded" with an optional ":FOLDER"
/// (default: the user's data folder). The error is a sentence that names what was wrong; it never
/// repeats a password.
Result<StoreAddress, QString> parseStoreAddress(const QString &text);

/// "orders @ db-prod" or "embedded @ /home/me/...": for screens and logs, without password.
QString displayName(const StoreAddress &address);

} // namespace outbox::store
