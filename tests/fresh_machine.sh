#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Proves that the two commands of the README work on a clean Debian 12: makes one with debootstrap, copies the
# committed files of this repository into it, and runs app/run.sh and tests/run.sh, each twice, as root and as an
# ordinary user with sudo. Needs root, debootstrap and about 6 GB; takes long.
#
#   tests/fresh_machine.sh [root] [user]        both by default
#
# The folder for the new system is $FRESH_MACHINE, or a new one under /var/tmp; it is removed at the end.
# $SCRIPTS names the commands to try, when not both.
set -eu

repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
[ "$(id -u)" -eq 0 ] || { echo "run this as root" >&2; exit 1; }
[ $# -gt 0 ] || set -- root user
system=${FRESH_MACHINE:-$(mktemp -d /var/tmp/outbox-fresh.XXXXXX)}
mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list.d/debian.sources \
    /etc/apt/sources.list 2>/dev/null | head -1)

end_inside() {
    # Whoever still works inside the new system would keep it busy.
    for process in /proc/[0-9]*; do
        if [ "$(readlink "$process/root" 2>/dev/null)" = "$system" ]; then
            kill -KILL "${process#/proc/}" 2>/dev/null || true
        fi
    done
}

remove_system() {
    end_inside
    for place in dev/shm dev/pts dev proc sys; do
        if mountpoint -q "$system/$place"; then
            umount -l "$system/$place"
        fi
    done
    if ! mountpoint -q "$system/proc" && ! mountpoint -q "$system/dev" && ! mountpoint -q "$system/sys"; then
        rm -rf --one-file-system "$system"
    fi
}
trap remove_system EXIT
trap 'exit 1' INT TERM

make_system() {
    mkdir -p "$system"
    chmod 755 "$system"
    debootstrap --variant=minbase --include=ca-certificates,sudo bookworm "$system" ${mirror:+"$mirror"}
    rm -f "$system/etc/apt/sources.list"
    if [ -e /etc/apt/sources.list.d/debian.sources ]; then
        cp /etc/apt/sources.list.d/debian.sources "$system/etc/apt/sources.list.d/"
    else
        cp /etc/apt/sources.list "$system/etc/apt/"
    fi
    cp /etc/resolv.conf /etc/hosts "$system/etc/"
    mount -t proc proc "$system/proc"
    mount --rbind /sys "$system/sys"
    mount --make-rslave "$system/sys"
    mount -t tmpfs -o mode=755 tmpfs "$system/dev"
    for device in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
        mknod -m 666 "$system/dev/${device%%:*}" c "$(echo "$device" | cut -d: -f2)" "${device##*:}"
    done
    mkdir -m 755 "$system/dev/pts"
    mkdir -m 1777 "$system/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$system/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$system/dev/shm"
    ln -s pts/ptmx "$system/dev/ptmx"
    ln -s /proc/self/fd "$system/dev/fd"
    chroot "$system" useradd --create-home --shell /bin/bash tester
    echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$system/etc/sudoers.d/tester"
}

inside() { # ACCOUNT COMMAND
    chroot "$system" env -i TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        su --login "$1" --command "$2" </dev/null
}

prove() { # ACCOUNT
    home=$(chroot "$system" getent passwd "$1" | cut -d: -f6)
    rm -rf "$system$home/outbox-console"
    mkdir "$system$home/outbox-console"
    git -C "$repository" archive HEAD | tar -x -C "$system$home/outbox-console"
    chroot "$system" chown -R "$1" "$home/outbox-console"
    for turn in first second; do
        for script in ${SCRIPTS:-app/run.sh tests/run.sh}; do
            began=$(date +%s)
            echo "== $script as $1, $turn time"
            inside "$1" "cd ~/outbox-console && $script"
            echo "== $script as $1, $turn time: passed after $(($(date +%s) - began)) s"
        done
    done
}

make_system
for account in "$@"; do
    case $account in
        root) prove root ;;
        user) prove tester ;;
        *) echo "neither root nor user: $account" >&2; exit 2 ;;
    esac
done
echo "Both commands work on a clean Debian 12, as: $*"
