// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace outbox::app {

/// One thing that is wrong in a settings file: where, which key, and what was expected. Never quotes a
/// secret.
struct SettingsError {
    QString file;
    int line = 0;   ///< from 1; 0: the file as a whole
    int column = 0; ///< from 1
    QString key;    ///< the path to it, such as "destinations.payments.http.timeout"; empty: the file
    QString problem;

    /// "outbox.yaml:7:14: destinations.payments.http.timeout: expected ...".
    [[nodiscard]] QString text() const;
};

/// Everything that is wrong in one file, in the order of its lines; never empty.
using SettingsErrors = QList<SettingsError>;

/// One line each.
QString textOf(const SettingsErrors &errors);

} // namespace outbox::app
