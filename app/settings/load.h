// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "settings/key_store.h"
#include "settings/settings.h"
#include "settings/settings_error.h"

#include <functional>
#include <optional>

namespace outbox::app {

/// Where `{env: NAME}` looks. Nothing: no such variable.
using Environment = std::function<std::optional<QString>(const QString &name)>;

/// The environment of this process.
Environment processEnvironment();

/// Reads and checks a settings file. All that is wrong in it is told together: unknown keys (with the
/// nearest known one), missing fields, wrong types, bad durations and URLs, routes to nowhere or twice,
/// secrets that are not there. Relative paths in it start at the file's folder.
Result<Settings, SettingsErrors> loadSettings(const QString &path,
                                              const Environment &environment = processEnvironment());

/// The same for a text; `name` stands for the file in errors, relative paths start at `folder`.
Result<Settings, SettingsErrors> parseSettings(const QByteArray &text, const QString &name, const QString &folder,
                                               const Environment &environment,
                                               const KeyStore &keyStore = systemKeyStore());

} // namespace outbox::app
