// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "store/store_address.h"
#include "store/store_error.h"

#include <QString>
#include <QStringList>

#include <memory>

namespace outbox::store {

/// How a private PostgreSQL runs. The defaults are right for people's data.
struct EmbeddedSettings {
    bool durable = true;       ///< false: no fsync; data that may be lost, such as a test's
    QStringList configuration; ///< further lines of postgresql.conf; a later line wins
    QString binaries;          ///< the folder of initdb and postgres; empty: found by itself
    QString account;           ///< as root, who it runs as; empty: the folder's owner, "postgres" or "nobody"
};

/// A private PostgreSQL in a folder of its own (D6): made when it is not there yet, reached through a Unix
/// socket in a closed folder and never through the network, UTC and UTF-8. A server that an earlier run or
/// another program left up is adopted; one that died, with its program or with the machine, is started
/// again. Under root it runs as an unprivileged account.
///
/// Programs that open the same folder at the same time share one server: the first one starts it and the
/// last one to leave stops it, whoever started it. A program that dies counts as gone.
///
/// All calls block, up to their limit: never from the GUI thread. One object, one thread.
class EmbeddedStore {
public:
    /// Ready to be connected to when it comes back. The address names the database "outbox" as its owner
    /// and superuser; the schema is not made here. Errors: Unavailable with `embedded` and a way out when
    /// no server is installed, another major version made the data, or the folder will not do.
    static Result<std::unique_ptr<EmbeddedStore>, StoreError> open(const EmbeddedAddress &address, milliseconds limit,
                                                                   const EmbeddedSettings &settings = {});
    EmbeddedStore(const EmbeddedStore &) = delete;
    EmbeddedStore &operator=(const EmbeddedStore &) = delete;
    /// Leaves, as stop() does, within ten seconds.
    ~EmbeddedStore();

    [[nodiscard]] ServerAddress address() const;
    /// It was up already.
    [[nodiscard]] bool wasAdopted() const;

    /// Leaves; the last one out stops the server (fast: open transactions are rolled back). Twice is legal.
    Result<Done, StoreError> stop(milliseconds limit);

private:
    struct Held;
    explicit EmbeddedStore(std::unique_ptr<Held> held);
    std::unique_ptr<Held> held_;
};

} // namespace outbox::store
