// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "settings/settings.h"
#include "store/connection.h"
#include "store/embedded_store.h"

#include <memory>
#include <optional>

namespace outbox::cli {

/// What stands before the command, or after it.
struct GlobalOptions {
    std::string store;
    std::string config;
    bool json = false;
};

/// What a command works with: the settings, the store, the output. Everything is opened when it is asked for.
class Context {
public:
    explicit Context(const GlobalOptions &options) : options_(options) {}

    [[nodiscard]] bool json() const { return options_.json; }
    Output &out() { return out_; }

    /// Those of --config, or the defaults when none is given.
    Result<app::Settings, Failure> settings();
    /// --store, else `own` of a command that has one, else the variable OUTBOX_STORE, else `store` of the settings
    /// file.
    Result<store::StoreAddress, Failure> storeAddress(const std::optional<store::StoreAddress> &own = {});
    /// The server to connect to. An embedded store is started and brought to this program's schema; it runs until the
    /// context ends.
    Result<store::ServerAddress, Failure> server(const std::optional<store::StoreAddress> &own = {});
    /// Connects to that server.
    Result<std::unique_ptr<store::Connection>, Failure> connect(const store::ConnectionSettings &settings = {});
    /// For error texts; without password.
    [[nodiscard]] QString storeName() const { return storeName_; }

private:
    Result<Done, Failure> startEmbedded(const store::EmbeddedAddress &address);

    const GlobalOptions options_;
    Output out_;
    std::optional<app::Settings> settings_;
    std::optional<store::ServerAddress> server_;
    QString storeName_ = QStringLiteral("the store");
    std::unique_ptr<store::EmbeddedStore> embedded_;
};

/// Brings the schema of that server up to this program's version.
Result<int, store::StoreError> bringUp(const store::ServerAddress &server, int &from);

} // namespace outbox::cli
