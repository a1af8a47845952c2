// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/test_store.h"

#include <QStringList>

#include <optional>

namespace outbox::test {

/// Plays a worker's part in a test store through the schema's own functions, so that records come to be in every
/// state the way they really do.
class Scene {
public:
    explicit Scene(TestStore &store);

    [[nodiscard]] int worker() const { return worker_; }
    /// Routes the type, so that it can be claimed.
    void route(const QString &pattern, const QString &destination);
    /// Stages and gives the id.
    QString stage(const QString &type = QStringLiteral("orders.placed")) { return store_.stage(type); }

    struct Claimed {
        qint64 fence = 0;
        QStringList ids;
    };
    /// Claims at most that many from every lane, with a lease of that many seconds.
    Claimed claim(int most = 1000, int leaseSeconds = 30) { return claimAs(worker_, most, leaseSeconds); }
    Claimed claimAs(int worker, int most = 1000, int leaseSeconds = 30);
    int registerWorker(const QString &name);

    // Each gives the ids that were refused.
    QStringList complete(qint64 fence, const QStringList &ids);
    /// Without a horizon: tried for ever.
    QStringList retry(qint64 fence, const QStringList &ids, int delaySeconds, const QString &cause, const QString &why,
                      std::optional<int> horizonSeconds = {});
    QStringList deadLetter(qint64 fence, const QStringList &ids, const QString &cause, const QString &why);
    QStringList release(qint64 fence, const QStringList &ids);

    /// In how many states the record is, and the name of one of them.
    QString stateOf(const QString &id);

private:
    QStringList outcome(const QString &call, qint64 fence, const QStringList &ids, const QVariantList &more);
    TestStore &store_;
    int worker_ = 0;
};

/// {"a","b"} for parameters that are cast to arrays.
QString arrayOf(const QStringList &texts);

} // namespace outbox::test
