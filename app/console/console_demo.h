// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/service_thread.h"
#include "demo/demo_receiver.h"
#include "demo/demo_stager.h"
#include "settings/settings.h"

#include <memory>

namespace outbox::console {

/// The demo inside the window's program: a receiver from the beginning, and an application that stages messages once
/// it is known where the store is. Made, used and destroyed in the GUI thread.
class ConsoleDemo final : public QObject {
    Q_OBJECT
public:
    explicit ConsoleDemo(QObject *parent = nullptr);

    /// The destination "demo" and its route, in place of what a settings file says.
    void addTo(app::Settings &settings) const;
    /// Begins to stage there. A second time changes nothing.
    void start(const store::ServerAddress &address);
    /// `stopped` follows.
    void stop();

Q_SIGNALS:
    void stopped();

private:
    demo::DemoReceiver receiver_;
    std::unique_ptr<ServiceThread<demo::DemoStager>> stager_;
};

} // namespace outbox::console
