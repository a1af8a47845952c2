// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace outbox::cli {

/// SIGINT and SIGTERM as a signal in the event loop. The first one asks for a graceful end; the second ends the
/// program at once, with exit code 130 or 143. One object at a time.
class StopSignals : public QObject {
    Q_OBJECT
public:
    explicit StopSignals(QObject *parent = nullptr);
    ~StopSignals() override;

    /// 130 or 143 after a signal, else 0.
    [[nodiscard]] int exitCode() const;

Q_SIGNALS:
    void requested();
};

} // namespace outbox::cli
