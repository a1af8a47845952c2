// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QString>

#include <optional>

namespace outbox::store::embedded {

/// One installed PostgreSQL server: initdb, pg_ctl, postgres and createdb in one folder.
struct Binaries {
    QString folder;
    int major = 0;

    [[nodiscard]] QString program(const QString &name) const { return folder + QLatin1Char('/') + name; }
};

/// The newest supported server installed, or the one of `major` when data asks for that one. Looks in the
/// places where distributions put it, in what pg_config says and in PATH; in `only` and nowhere else when
/// that is not empty. The error is a sentence with the way out.
Result<Binaries, QString> findBinaries(std::optional<int> major, const QString &only);

} // namespace outbox::store::embedded
