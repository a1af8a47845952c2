// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/test_cluster.h"

#include <QList>
#include <QSqlDatabase>
#include <QString>
#include <QStringList>
#include <QVariant>

namespace outbox::test {

/// Who connects. Each is a login that has exactly the role of its name; the stranger has none.
enum class Login { superuser, writer, worker, operator_, viewer, stranger };

/// A fresh database for one test, migrated to this program's schema unless asked otherwise; dropped at the
/// end. What goes wrong here throws std::runtime_error. One thread, like the connections it opens.
class TestStore {
public:
    enum class Schema { migrated, none };

    explicit TestStore(TestCluster &cluster = TestCluster::shared(), Schema schema = Schema::migrated);
    TestStore(const TestStore &) = delete;
    TestStore &operator=(const TestStore &) = delete;
    ~TestStore();

    [[nodiscard]] QString name() const { return name_; }
    [[nodiscard]] outbox::store::ServerAddress address(Login login = Login::superuser) const;
    /// The same as "postgresql://...", for command lines.
    [[nodiscard]] QString uri(Login login = Login::superuser) const;

    /// A superuser's open connection, opened when first asked for and again after an outage broke it.
    QSqlDatabase database();
    /// A new open connection in this thread; it ends with the store at the latest.
    QSqlDatabase connect(Login login);

    /// Runs SQL as the superuser; several statements in one text are fine when there are no parameters.
    void run(const QString &sql, const QVariantList &parameters = {});
    /// The first column of the first row; invalid when there is no row.
    QVariant value(const QString &sql, const QVariantList &parameters = {});
    QList<QVariantList> rows(const QString &sql, const QVariantList &parameters = {});
    /// The SQLSTATE that the statement fails with on that connection; empty when it succeeds.
    static QString sqlState(const QSqlDatabase &database, const QString &sql, const QVariantList &parameters = {});
    /// Stages one small message as the superuser and gives its id.
    QString stage(const QString &type, const QString &payload = QStringLiteral("{}"), int version = 1);

private:
    TestCluster &cluster_;
    QString name_;
    QString superuserConnection_;
    QStringList connections_;
};

} // namespace outbox::test
