// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/options.h"

#include "base/version.h"
#include "demo/demo_store.h"
#include "settings/load.h"

#include <QCommandLineParser>

namespace outbox::console {

namespace {

constexpr int badInput = 2;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(outbox::console::Options)
};

std::optional<Look> lookOf(const QString &name)
{
    if (name == QStringLiteral("system"))
        return Look::system;
    if (name == QStringLiteral("light"))
        return Look::light;
    if (name == QStringLiteral("dark"))
        return Look::dark;
    return std::nullopt;
}

} // namespace

Result<Options, Leave> readOptions(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        Words::tr("Shows an outbox live, and dispatches from this computer when asked to."));
    const QCommandLineOption storeOption(QStringLiteral("store"),
                                         Words::tr("The store: postgresql://..., or embedded[:FOLDER] (the default)."),
                                         Words::tr("URI"));
    const QCommandLineOption config(QStringLiteral("config"), Words::tr("The settings file."), Words::tr("FILE"));
    const QCommandLineOption look(QStringLiteral("theme"), Words::tr("light, dark or system (the default)."),
                                  Words::tr("NAME"), QStringLiteral("system"));
    const QCommandLineOption demoOption(QStringLiteral("demo"),
                                        Words::tr("Stage and receive invented messages, and dispatch them from here. "
                                                  "Without --store in a store of its own."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, Words::tr("Show this text."));
    const QCommandLineOption version(QStringLiteral("version"), Words::tr("Show the version."));
    parser.addOptions({storeOption, config, look, demoOption, help, version});
    if (!parser.parse(arguments))
        return Leave{badInput, parser.errorText() + u'\n'};
    if (parser.isSet(help))
        return Leave{0, parser.helpText()};
    if (parser.isSet(version))
        return Leave{0, QStringLiteral("outbox-console %1\n").arg(programVersion())};
    if (!parser.positionalArguments().isEmpty())
        return Leave{badInput, Words::tr("outbox-console takes no argument like \"%1\"; see --help\n")
                                   .arg(parser.positionalArguments().constFirst())};

    Options options;
    const auto chosen = lookOf(parser.value(look));
    if (!chosen)
        return Leave{badInput, Words::tr("--theme is light, dark or system, not \"%1\"\n").arg(parser.value(look))};
    options.look = *chosen;
    options.demo = parser.isSet(demoOption);
    if (parser.isSet(config)) {
        const auto loaded = app::loadSettings(parser.value(config));
        if (!loaded)
            return Leave{badInput, app::textOf(loaded.error()) + u'\n'};
        options.settings = *loaded;
    }
    if (options.demo && !parser.isSet(storeOption)) {
        options.store = demo::demoStore();
        return options;
    }
    const QString given = parser.isSet(storeOption) ? parser.value(storeOption) : qEnvironmentVariable("OUTBOX_STORE");
    if (given.isEmpty() && options.settings.store) {
        options.store = *options.settings.store;
        return options;
    }
    const auto address = outbox::store::parseStoreAddress(given.isEmpty() ? QStringLiteral("embedded") : given);
    if (!address)
        return Leave{badInput, address.error() + u'\n'};
    options.store = *address;
    return options;
}

} // namespace outbox::console
