// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "settings/settings.h"
#include "store/store_address.h"

#include <QStringList>

#include <optional>

namespace outbox::console {

enum class Look { system, light, dark };

/// What the program was asked for, settings file read.
struct Options {
    store::StoreAddress store;
    app::Settings settings;
    Look look = Look::system;
    bool demo = false;
};

/// Why the program ends at once: help or version were asked for (code 0), or something is wrong.
struct Leave {
    int code = 0;
    QString text;
};

/// Reads the command line and the settings file it names. The store is --store, else with --demo the demo's own, else
/// the variable OUTBOX_STORE, else `store` of the file, else the embedded one.
Result<Options, Leave> readOptions(const QStringList &arguments);

} // namespace outbox::console
