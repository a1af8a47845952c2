#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing of the given lists (build, run, test, check), and nothing else: it asks the network
# only when something is missing, so a second run is quick and works offline.
#
#   packaging/linux/install.sh build run test
#
# Works as root, and as an ordinary user who has sudo. Debian starts a PostgreSQL and a RabbitMQ of its own when
# their packages are installed; nothing here needs them, so they are not started this time.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

wanted=
for list in "$@"; do
    wanted="$wanted $(grep -v '^#' "$here/packages-$list.txt")"
done

missing=
for package in $wanted; do
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" != installed ]; then
        missing="$missing $package"
    fi
done
[ -n "$missing" ] || exit 0

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "These packages are missing and need root or sudo to be installed:$missing" >&2
        exit 1
    fi
}

policy=/usr/sbin/policy-rc.d
ours=no
clean_up() {
    if [ "$ours" = yes ]; then
        as_root rm -f "$policy"
    fi
}
trap clean_up EXIT
trap 'exit 1' INT TERM

echo "Installing:$missing"
if [ ! -e "$policy" ]; then
    ours=yes
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
fi
apt='env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300'
as_root $apt update
as_root $apt install -y --no-install-recommends $missing </dev/null
