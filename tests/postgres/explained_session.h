// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/store_address.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <vector>

struct pg_conn;

namespace outbox::test {

/// One node of a plan that reads a table.
struct ScanNode {
    QString kind;      ///< "Index Scan", "Seq Scan" ...
    QString relation;  ///< without its schema
    QString index;     ///< empty where there is none
    QString condition; ///< what the index is searched for; empty: it is walked from end to end
};

/// A superuser's session that hears the plan of every statement it runs, also of those inside functions, from
/// auto_explain. What goes wrong throws std::runtime_error. One thread.
class ExplainedSession {
public:
    explicit ExplainedSession(const store::ServerAddress &address);
    ExplainedSession(const ExplainedSession &) = delete;
    ExplainedSession &operator=(const ExplainedSession &) = delete;
    ~ExplainedSession();

    /// Runs it and forgets its plans; gives the first column of the first row as text.
    QByteArray run(const QByteArray &sql);
    /// Runs it and gives every scan of a table in it.
    std::vector<ScanNode> scansOf(const QByteArray &sql);

private:
    static void heard(void *self, const char *message);

    pg_conn *connection_;
    std::vector<QJsonObject> plans_;
};

} // namespace outbox::test
