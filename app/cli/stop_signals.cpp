// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/stop_signals.h"

#include <QSocketNotifier>

#include <array>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace outbox::cli {

namespace {

// A handler may touch nothing but these and write().
volatile std::sig_atomic_t received = 0;
std::array<int, 2> wire{-1, -1};

extern "C" void onStopSignal(int number)
{
    if (received != 0)
        _exit(128 + number);
    received = number;
    const char byte = 0;
    [[maybe_unused]] const auto written = write(wire[1], &byte, 1);
}

void handle(int number, void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, nullptr);
}

} // namespace

StopSignals::StopSignals(QObject *parent) : QObject(parent)
{
    received = 0;
    if (pipe2(wire.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        qFatal("no pipe for signals");
    auto *notifier = new QSocketNotifier(wire[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        notifier->setEnabled(false);
        Q_EMIT requested();
    });
    handle(SIGINT, onStopSignal);
    handle(SIGTERM, onStopSignal);
}

StopSignals::~StopSignals()
{
    handle(SIGINT, SIG_DFL);
    handle(SIGTERM, SIG_DFL);
    for (const int end : wire)
        close(end);
}

int StopSignals::exitCode() const { return received == 0 ? 0 : 128 + received; }

} // namespace outbox::cli
