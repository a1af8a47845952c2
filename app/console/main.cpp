// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/log.h"
#include "base/version.h"
#include "catalogue/catalogue.h"
#include "catalogue/worker.h"
#include "cli/stop_signals.h"
#include "console/options.h"
#include "demo/demo_workload.h"
#include "runtime/console_runtime.h"
#include "shell/main_window.h"
#include "theme/theme.h"

#include <QApplication>
#include <QLocale>

#include <cstdio>

using namespace outbox;

namespace {

ui::theme::Scheme schemeOf(console::Look look)
{
    switch (look) {
    case console::Look::light: return ui::theme::Scheme::light;
    case console::Look::dark: return ui::theme::Scheme::dark;
    case console::Look::system: break;
    }
    return ui::theme::systemScheme();
}

int leave(const console::Leave &leaving)
{
    std::fputs(qUtf8Printable(leaving.text), leaving.code == 0 ? stdout : stderr);
    return leaving.code;
}

/// Asked for help or a version, the program needs no display.
bool needsNoDisplay(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        const QString argument = QString::fromLocal8Bit(argv[i]);
        if (argument == QStringLiteral("--help") || argument == QStringLiteral("-h") ||
            argument == QStringLiteral("--version"))
            return true;
    }
    return false;
}

} // namespace

int main(int argc, char **argv)
{
    if (needsNoDisplay(argc, argv)) {
        QCoreApplication application(argc, argv);
        const auto options = console::readOptions(QCoreApplication::arguments());
        return options ? 0 : leave(options.error());
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("outbox-console"));
    QApplication::setApplicationVersion(programVersion());
    QApplication::setDesktopFileName(QStringLiteral("outbox-console"));
    QApplication::setQuitOnLastWindowClosed(false);
    // The C locale writes 1284; the English source texts go with 1,284.
    if (QLocale::system().language() == QLocale::C)
        QLocale::setDefault(QLocale(QLocale::English));

    auto options = console::readOptions(QApplication::arguments());
    if (!options)
        return leave(options.error());
    std::unique_ptr<demo::DemoWorkload> demo;
    if (options->demo) {
        demo = std::make_unique<demo::DemoWorkload>(demo::DemoPlan{});
        demo->applyTo(options.value().settings);
    }
    const auto worker = app::workerSettingsOf(options->settings);
    if (const QString wrong = dispatch::validate(worker); !wrong.isEmpty())
        return leave({2, QStringLiteral("the worker's settings: %1\n").arg(wrong)});

    ui::theme::apply(application, schemeOf(options->look));
    runtime::ConsoleRuntime runtime(options->store, worker, app::catalogueOf(options->settings));
    ui::MainWindow window(runtime);
    window.show();
    if (demo) {
        QObject::connect(&runtime, &runtime::ConsoleRuntime::addressKnown, demo.get(), &demo::DemoWorkload::start);
        QObject::connect(demo.get(), &demo::DemoWorkload::stopped, &runtime, &runtime::ConsoleRuntime::end);
        runtime.setDispatching(true);
    }
    // A signal closes the window as its user would; a second one ends the program at once.
    const cli::StopSignals stopSignals;
    QObject::connect(&stopSignals, &cli::StopSignals::requested, &window, &QWidget::close);
    // In good order: nothing new is staged, what is in flight ends, nothing stays leased, then the program ends.
    QObject::connect(&application, &QApplication::lastWindowClosed, &runtime, [&] {
        if (demo)
            demo->stop();
        else
            runtime.end();
    });
    QObject::connect(&runtime, &runtime::ConsoleRuntime::ended, &application, &QApplication::quit);
    return QApplication::exec();
}
