// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/console_runtime.h"
#include "shell/main_window.h"
#include "support/test_store.h"

#include <memory>

namespace outbox::test {

/// The whole program without its main(): a fresh database, the engine's runtime and the window.
class RealWindow final {
public:
    explicit RealWindow(TestStore &store, Login login = Login::operator_, dispatch::WorkerSettings settings = {},
                        delivery::DestinationCatalogue catalogue = {});
    RealWindow(const RealWindow &) = delete;
    RealWindow &operator=(const RealWindow &) = delete;
    /// Ends the runtime in good order first.
    ~RealWindow();

    [[nodiscard]] runtime::ConsoleRuntime &runtime() { return *runtime_; }
    [[nodiscard]] ui::MainWindow &window() { return *window_; }
    [[nodiscard]] ui::Page &page(const QString &id);

private:
    std::unique_ptr<runtime::ConsoleRuntime> runtime_;
    std::unique_ptr<ui::MainWindow> window_;
};

/// Stages so many messages of the type in one statement.
void stageMany(TestStore &store, const QString &type, int count);
/// Makes dead letters of all pending records of the type, each with one failed attempt in the ledger.
void failAll(TestStore &store, const QString &type, const QString &cause, const QString &reason);

} // namespace outbox::test
