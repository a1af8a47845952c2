// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include "application.h"
#include "support/servers/psql.h"

#include <QSet>

#include <algorithm>

namespace outbox::chaos {

using namespace Qt::StringLiterals;

namespace {

/// The database's clock and ours are one machine's; rounding may part them by this much.
constexpr qint64 slack = 50;

struct Attempt {
    QByteArray cause;
    qint64 pid = 0;
    qint64 started = 0;
    qint64 ended = 0;
};
using Ledger = QMultiHash<QByteArray, Attempt>;

Result<QList<QByteArray>, QString> lines(const store::ServerAddress &address, const QString &script)
{
    auto out = servers::psql(address, beside(u"sql/"_s + script));
    if (!out) {
        return out.error();
    }
    const auto text = out->trimmed();
    return text.isEmpty() ? QList<QByteArray>() : text.split('\n');
}

Result<Ledger, QString> attempts(const store::ServerAddress &address)
{
    auto rows = lines(address, u"attempts.sql"_s);
    if (!rows) {
        return rows.error();
    }
    Ledger ledger;
    for (const auto &row : *rows) {
        const auto columns = row.split('|');
        ledger.insert(columns[0],
                      {columns[1], columns[2].toLongLong(), columns[3].toLongLong(), columns[4].toLongLong()});
    }
    return ledger;
}

bool isOurDoing(const Attempt &attempt, const Faults &faults)
{
    const bool killed = std::any_of(faults.kills.begin(), faults.kills.end(), [&](const Kill &kill) {
        return kill.pid == attempt.pid && kill.at >= attempt.started - slack && kill.at <= attempt.ended + slack;
    });
    return killed || std::any_of(faults.restarts.begin(), faults.restarts.end(), [&](const Restart &restart) {
               return restart.to >= attempt.started - slack && restart.from <= attempt.ended + slack;
           });
}

/// Deliveries too many that our own faults do not account for.
int unexplained(int deliveries, const QList<Attempt> &ledger, const Faults &faults)
{
    const auto excuses = std::count_if(ledger.begin(), ledger.end(), [&](const Attempt &attempt) {
        return attempt.cause == "lease-expired" && isOurDoing(attempt, faults);
    });
    return std::max(0, deliveries - 1 - int(excuses));
}

} // namespace

Result<Verdict, QString> judge(const store::ServerAddress &address, const QHash<QByteArray, int> &received,
                               const Faults &faults)
{
    auto sent = lines(address, u"sent.sql"_s);
    auto ledger = attempts(address);
    auto left = lines(address, u"left.sql"_s);
    if (!sent || !ledger || !left) {
        return !sent ? sent.error() : !ledger ? ledger.error() : left.error();
    }
    const QSet<QByteArray> committed(sent->begin(), sent->end());
    int lost = 0;
    for (const auto &id : committed) {
        lost += received.contains(id) ? 0 : 1;
    }
    int strangers = 0;
    int duplicates = 0;
    int unexplainedDuplicates = 0;
    for (auto it = received.begin(); it != received.end(); ++it) {
        strangers += committed.contains(it.key()) ? 0 : 1;
        duplicates += it.value() - 1;
        unexplainedDuplicates += unexplained(it.value(), ledger->values(it.key()), faults);
    }
    Verdict verdict;
    verdict.figures = {{u"committed"_s, int(committed.size())},
                       {u"received_ids"_s, int(received.size())},
                       {u"lost"_s, lost},
                       {u"never_committed"_s, strangers},
                       {u"duplicates"_s, duplicates},
                       {u"duplicates_unexplained"_s, unexplainedDuplicates},
                       {u"failed_attempts"_s, int(ledger->size())},
                       {u"kills"_s, int(faults.kills.size())},
                       {u"store_restarts"_s, int(faults.restarts.size())}};
    const auto must = [&verdict](bool good, const QString &otherwise) {
        if (!good) {
            verdict.wrong << otherwise;
        }
    };
    must(!committed.isEmpty(), u"nothing was staged"_s);
    must(lost == 0, u"%1 committed messages were not received"_s.arg(lost));
    must(strangers == 0, u"%1 messages were received whose transaction never committed"_s.arg(strangers));
    must(unexplainedDuplicates == 0, u"%1 duplicates have no kill or restart behind them"_s.arg(unexplainedDuplicates));
    must(left->size() == 1 && left->first() == "0|0|0",
         u"pending|processing|dead letters at the end: %1"_s.arg(QString::fromUtf8(left->value(0))));
    return verdict;
}

} // namespace outbox::chaos
