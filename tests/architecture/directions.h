// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

namespace outbox::architecture {

/// A place in the house: the top folder, and the folder below it ("engine", "store").
struct Room {
    QString top;
    QString name;
};

/// Why a file of `from` must not include one of `to`; nothing when it may.
std::optional<QString> whyForbidden(const Room &from, const Room &to);

/// Why a file of `from` must not use a header of that Qt module ("QtWidgets"); nothing when it may.
std::optional<QString> whyQtForbidden(const Room &from, const QString &module);

/// Every room of the engine that has a rule.
bool isKnownEngineRoom(const QString &name);

} // namespace outbox::architecture
