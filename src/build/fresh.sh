#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# README's two commands on a bare system of Debian: fresh.sh bookworm|trixie [COMMAND...]
# Needs root and debootstrap (make deps-dev).  The system is built under $FRESH, or /var/tmp.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
dist=${1:?bookworm or trixie}; shift
case $dist in bookworm|trixie) ;; *) echo "fresh.sh: DIST is bookworm or trixie, not '$dist'" >&2; exit 2 ;; esac
[ "$(id -u)" -eq 0 ] || { echo "make fresh: needs root, for debootstrap and chroot" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "make fresh: debootstrap is missing; run make deps-dev" >&2; exit 2; }
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | awk '$1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^(https?|file):/) { print $i; exit } }
              $1 == "URIs:" { print $2; exit }')
[ -n "$mirror" ] || { echo "make fresh: no Debian archive in /etc/apt/sources.list*" >&2; exit 2; }
root=${FRESH:-/var/tmp}/provably-fresh-$dist
source=$(pwd)
cleanup() { umount "$root/proc" "$root/dev/pts" "$root/dev" 2>/dev/null || true; }
trap cleanup EXIT
if [ ! -e "$root/.complete" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase "$dist" "$root" "$mirror" > "$root.log" 2>&1 || { tail -n 5 "$root.log" >&2; exit 1; }
    touch "$root/.complete"
fi
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t devpts devpts "$root/dev/pts" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
rm -rf "$root/provably"
git clone -q "$source" "$root/provably"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    chroot "$root" sh -ec 'apt-get update -qq && apt-get install -y -qq make git ca-certificates >/dev/null
        cd /provably && make -j2 deps check && make -j2 deps test'
