// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/snapshots.h"
#include "base/backoff.h"
#include "base/service.h"
#include "store/connection.h"
#include "store/embedded_store.h"
#include "store/store_address.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace outbox::runtime {

/// The window's own session with the store, in a thread of its own: runs one question after the other with a
/// statement timeout, opens the embedded store when that is the one, and knows whether the store answers.
///
/// While the store is away questions fail at once with its reason; only the service itself tries, with bounded
/// backoff and jitter.
class QueryService final : public Service {
    Q_OBJECT
public:
    /// Gets the open connection, or why there is none. Tells what the connection answered, if that was an error.
    using Task =
        std::function<std::optional<store::StoreError>(const Result<store::Connection *, store::StoreError> &)>;

    explicit QueryService(store::StoreAddress address);
    ~QueryService() override;

    /// Any thread.
    void ask(Task task);

Q_SIGNALS:
    void statusChanged(const outbox::api::StoreStatus &status);
    /// The store can be reached there: known at once for a server, once it runs for the embedded one.
    void addressKnown(const outbox::store::ServerAddress &address);

protected:
    void onStart() override;
    void onStop() override;

private:
    void run(const Task &task);
    std::optional<store::StoreError> reach();
    std::optional<store::StoreError> openEmbedded(const store::EmbeddedAddress &address);
    void tryAgainLater(const store::StoreError &error);
    void publish(api::StoreCondition condition, const QString &reason);

    const store::StoreAddress address_;
    const Backoff backoff_{milliseconds{250}, milliseconds{5000}};
    Random random_ = Random::fromMachine();
    QTimer timer_;
    std::unique_ptr<store::EmbeddedStore> embedded_;
    std::optional<store::ServerAddress> server_;
    std::unique_ptr<store::Connection> connection_;
    std::optional<store::StoreError> away_;
    api::StoreStatus status_;
    int failures_ = 0;
};

} // namespace outbox::runtime
