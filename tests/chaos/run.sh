#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The chaos runs at full length: first without a fault, then with workers killed and the store restarted.
#   tests/chaos/run.sh [--seconds 60] [--kill-every 1] [--restarts 3]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=60
kill_every=1
restarts=3
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --kill-every) kill_every=$2; shift 2 ;;
    --restarts) restarts=$2; shift 2 ;;
    *) echo "usage: tests/chaos/run.sh [--seconds N] [--kill-every SECONDS] [--restarts N]" >&2; exit 2 ;;
    esac
done
cd "$root"
cmake --preset release
cmake --build --preset release --target outbox outbox-chaos
chaos=build/release/tests/outbox-chaos
echo "without faults:"
"$chaos" --seconds "$seconds"
echo "with a kill every $kill_every s and $restarts restarts of the store:"
"$chaos" --seconds $((seconds + 4)) --kill-every "$kill_every" --restarts "$restarts"
