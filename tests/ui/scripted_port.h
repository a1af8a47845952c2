// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/console_port.h"

#include <deque>
#include <functional>

namespace outbox::test {

/// A port whose answers a test decides: at once, later, out of order, or never. For models and looks; what the
/// window does with a store is shown against a real one.
class ScriptedPort final : public api::ConsolePort {
    Q_OBJECT
public:
    using ConsolePort::ConsolePort;

    // What is asked is answered from these at once, through the event loop, unless `hold` is set.
    api::Answer<api::Overview> overviewAnswer = api::Overview{};
    api::Answer<QList<api::ThroughputPoint>> throughputAnswer = QList<api::ThroughputPoint>{};
    QList<api::RecordRow> rows; ///< newest first; records() and deadLetters() page through them
    std::function<api::Answer<api::RecordDetail>(MessageId)> detail;
    api::Answer<QList<api::DeadLetterGroup>> groupsAnswer = QList<api::DeadLetterGroup>{};
    std::optional<api::OperationError> refuse; ///< every question about records is answered with this
    api::StoreStatus store;
    api::DispatcherStatus dispatcher;

    milliseconds cost{0}; ///< what each answer says it cost
    /// Answers wait until they are let go.
    bool hold = false;
    std::deque<std::function<void()>> held;
    /// Lets the held answer at that place go.
    void letGo(std::size_t place = 0);

    int overviewsAsked = 0;
    int recordsAsked = 0;
    QList<QList<MessageId>> replayed;
    QStringList reasons;
    QList<bool> dispatchingAsked;
    std::optional<api::RecordFilter> lastFilter;
    std::function<api::ReplayVerdict(MessageId)> verdict;

    void setStore(const api::StoreStatus &status);
    void setDispatcher(const api::DispatcherStatus &status);

    void overview(api::Reply<api::Overview> reply) override;
    void throughput(seconds span, seconds width, api::Reply<QList<api::ThroughputPoint>> reply) override;
    void records(api::RecordFilter filter, std::optional<api::RecordCursor> cursor, int limit,
                 api::Reply<api::RecordPage> reply) override;
    void record(MessageId id, api::Reply<api::RecordDetail> reply) override;
    void deadLetterGroups(api::Reply<QList<api::DeadLetterGroup>> reply) override;
    void deadLetters(std::optional<api::DeadLetterGroup> group, std::optional<api::RecordCursor> cursor, int limit,
                     api::Reply<api::RecordPage> reply) override;
    void replay(QList<MessageId> ids, QString reason, api::Reply<api::ReplayResult> reply) override;
    void messageTypes(api::Reply<QStringList> reply) override;
    void setDispatching(bool on) override;
    [[nodiscard]] api::StoreStatus storeStatus() const override { return store; }
    [[nodiscard]] api::DispatcherStatus dispatcherStatus() const override { return dispatcher; }

private:
    template <typename T>
    void answer(const api::Reply<T> &reply, api::Answer<T> value)
    {
        auto deliver = [reply, value = std::move(value), cost = cost] {
            if (reply.receiver)
                reply.call(value, cost);
        };
        if (hold)
            held.push_back(std::move(deliver));
        else
            QMetaObject::invokeMethod(this, std::move(deliver), Qt::QueuedConnection);
    }
    api::Answer<api::RecordPage> pageOf(const std::function<bool(const api::RecordRow &)> &wanted,
                                        const std::optional<api::RecordCursor> &cursor, int limit) const;
};

} // namespace outbox::test
