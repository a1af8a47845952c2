// SPDX-License-Identifier: Apache-2.0
#include "scripted_port.h"

#include <algorithm>

namespace outbox::test {

void ScriptedPort::letGo(std::size_t place)
{
    const auto deliver = held[place];
    held.erase(held.begin() + std::ptrdiff_t(place));
    deliver();
}

void ScriptedPort::setStore(const api::StoreStatus &status)
{
    store = status;
    Q_EMIT storeStatusChanged(status);
}

void ScriptedPort::setDispatcher(const api::DispatcherStatus &status)
{
    dispatcher = status;
    Q_EMIT dispatcherStatusChanged(status);
}

void ScriptedPort::overview(api::Reply<api::Overview> reply)
{
    ++overviewsAsked;
    answer(reply, overviewAnswer);
}

void ScriptedPort::throughput(seconds, seconds, api::Reply<QList<api::ThroughputPoint>> reply)
{
    answer(reply, throughputAnswer);
}

api::Answer<api::RecordPage> ScriptedPort::pageOf(const std::function<bool(const api::RecordRow &)> &wanted,
                                                  const std::optional<api::RecordCursor> &cursor, int limit) const
{
    if (refuse)
        return *refuse;
    api::RecordPage page;
    for (const api::RecordRow &row : rows) {
        if (cursor && !(row.id < cursor->before))
            continue;
        if (!wanted(row))
            continue;
        if (page.rows.size() == limit) {
            page.next = api::RecordCursor{page.rows.constLast().id};
            break;
        }
        page.rows.append(row);
    }
    return page;
}

void ScriptedPort::records(api::RecordFilter filter, std::optional<api::RecordCursor> cursor, int limit,
                           api::Reply<api::RecordPage> reply)
{
    ++recordsAsked;
    lastFilter = filter;
    answer(reply, pageOf(
                      [&](const api::RecordRow &row) {
                          return (filter.states.isEmpty() || filter.states.contains(kindOf(row.state))) &&
                                 (filter.type.isEmpty() || filter.type == row.type);
                      },
                      cursor, limit));
}

void ScriptedPort::record(MessageId id, api::Reply<api::RecordDetail> reply)
{
    if (refuse)
        return answer(reply, api::Answer<api::RecordDetail>(*refuse));
    if (detail)
        return answer(reply, detail(id));
    answer(reply, api::Answer<api::RecordDetail>(
                      api::OperationError{api::OperationError::Kind::not_found, QStringLiteral("no such record")}));
}

void ScriptedPort::deadLetterGroups(api::Reply<QList<api::DeadLetterGroup>> reply) { answer(reply, groupsAnswer); }

void ScriptedPort::deadLetters(std::optional<api::DeadLetterGroup> group, std::optional<api::RecordCursor> cursor,
                               int limit, api::Reply<api::RecordPage> reply)
{
    answer(reply, pageOf(
                      [&](const api::RecordRow &row) {
                          const auto *dead = std::get_if<DeadLetter>(&row.state);
                          return dead && (!group || (group->type == row.type && group->version == row.version &&
                                                     group->cause == dead->cause));
                      },
                      cursor, limit));
}

void ScriptedPort::replay(QList<MessageId> ids, QString reason, api::Reply<api::ReplayResult> reply)
{
    replayed.append(ids);
    reasons.append(reason);
    if (refuse)
        return answer(reply, api::Answer<api::ReplayResult>(*refuse));
    api::ReplayResult result;
    result.actor = store.role;
    for (const MessageId &id : std::as_const(ids))
        result.verdicts.append(verdict ? verdict(id) : api::ReplayVerdict{id, true, {}});
    answer(reply, api::Answer<api::ReplayResult>(result));
}

void ScriptedPort::messageTypes(api::Reply<QStringList> reply)
{
    QStringList types;
    for (const api::RecordRow &row : std::as_const(rows))
        if (!types.contains(row.type))
            types.append(row.type);
    types.sort();
    answer(reply, api::Answer<QStringList>(types));
}

void ScriptedPort::setDispatching(bool on) { dispatchingAsked.append(on); }

} // namespace outbox::test
