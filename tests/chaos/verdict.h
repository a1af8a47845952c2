// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "scenario.h"
#include "store/store_address.h"

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QStringList>

namespace outbox::chaos {

/// What the run has shown. `wrong` says in sentences what must not be; empty: all is well.
struct Verdict {
    QJsonObject figures;
    QStringList wrong;
};

/// Compares what the application committed with what the receivers got.
///
/// A duplicate is explained when each delivery too many belongs to an attempt whose lease ran out, and within
/// that attempt its worker was killed by us, or the store restarted by us. Everything else is wrong: a
/// delivery that was answered too late, an outcome that was lost, a record that was claimed twice.
Result<Verdict, QString> judge(const store::ServerAddress &address, const QHash<QByteArray, int> &received,
                               const Faults &faults);

} // namespace outbox::chaos
