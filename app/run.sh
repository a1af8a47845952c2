#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh clone to a running program: installs what is missing, builds, and opens the console on a demo that
# is really staged, dispatched and received, in a private PostgreSQL of its own. Without a display the same job
# runs in this terminal and says what it did. Arguments go to the program.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
: "${LC_ALL:=C.UTF-8}"
export LC_ALL

packaging/linux/install.sh build run
cmake --preset release
cmake --build --preset release --target outbox outbox-console

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec build/release/bin/outbox-console --demo "$@"
fi
exec build/release/bin/outbox demo "$@"
