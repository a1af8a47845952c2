// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QString>

#include <optional>

#include <sys/types.h>

namespace outbox::store::embedded {

/// Who the private PostgreSQL runs as and who owns its files.
struct Account {
    uid_t uid = 0;
    gid_t gid = 0;
    QString name;
    bool switched = false; ///< another account than this program's own: PostgreSQL refuses to run as root
};

/// This program's own account; as root the owner of `folder` if that is somebody else, then `wanted` if
/// given, then "postgres", then "nobody". The error is a sentence.
Result<Account, QString> accountFor(const QString &folder, const QString &wanted);

/// Makes `folder` (and its missing parents) for the account, closed to everybody else. Refuses a folder
/// that holds other things than a store, and one that the account cannot reach.
std::optional<QString> prepareFolder(const QString &folder, const Account &account);

/// Makes one closed folder of the account's, or accepts it when it is exactly that already.
std::optional<QString> prepareClosedFolder(const QString &folder, const Account &account);

} // namespace outbox::store::embedded
