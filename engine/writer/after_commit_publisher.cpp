// SPDX-License-Identifier: Apache-2.0
#include "writer/after_commit_publisher.h"

#include "store/statements.h"

#include <QSqlError>
#include <QSqlQuery>

#include <utility>

namespace outbox::writer {

Result<Done, StageError> AfterCommitPublisher::remember(const NewMessage &message)
{
    if (auto wrong = transactionProblem(connection_))
        return *wrong;
    QSqlQuery query(connection_);
    if (!query.exec(store::statementText("current_transaction")) || !query.next())
        return statementError(query, connection_);
    remembered_.push_back({query.value(0).toString(), message});
    return Done{};
}

Result<AfterCommitPublisher::Ending, StageError> AfterCommitPublisher::endingOf(const QString &transaction) const
{
    QSqlQuery query(connection_);
    if (!query.prepare(store::statementText("transaction_status")))
        return statementError(query, connection_);
    query.addBindValue(transaction);
    if (!query.exec() || !query.next())
        return statementError(query, connection_);
    const QString status = query.value(0).toString(); // null: so old that the server forgot, which is not known to have
    if (status == QLatin1String("committed"))         // committed
        return Ending::committed;
    return status == QLatin1String("in progress") ? Ending::open : Ending::rolled_back;
}

Result<AfterCommit, StageError> AfterCommitPublisher::publishCommitted()
{
    AfterCommit done;
    std::vector<std::pair<QString, Ending>> endings;
    for (const auto &each : remembered_) {
        if (!endings.empty() && endings.back().first == each.transaction)
            continue;
        const auto ending = endingOf(each.transaction);
        if (!ending)
            return ending.error();
        endings.emplace_back(each.transaction, *ending);
    }
    // The list is taken first: a publish function may remember messages of a further transaction.
    auto at = endings.begin();
    for (auto &each : std::exchange(remembered_, {})) {
        while (at->first != each.transaction)
            ++at;
        switch (at->second) {
        case Ending::committed:
            ++done.published;
            publish_(each.message);
            break;
        case Ending::rolled_back: ++done.dropped; break;
        case Ending::open:
            ++done.waiting;
            remembered_.push_back(std::move(each));
            break;
        }
    }
    return done;
}

} // namespace outbox::writer
