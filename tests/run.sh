#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds everything and runs every test, with one PostgreSQL and one RabbitMQ for all
# of them. They are private, and gone afterwards.
#
#   tests/run.sh [PRESET] [ctest arguments]     PRESET is release (the default), debug, asan or tsan
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
: "${LC_ALL:=C.UTF-8}"
export LC_ALL

preset=release
case "${1:-}" in
    release | debug | asan | tsan) preset=$1; shift ;;
esac

packaging/linux/install.sh build run test
cmake --preset "$preset"
cmake --build --preset "$preset"
exec "build/$preset/tests/with-servers" ctest --preset "$preset" --parallel "$(nproc)" "$@"
