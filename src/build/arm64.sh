#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Our numerics on arm64, in an emulator: a development check, which needs no such machine and says nothing of its speed.
#     arm64.sh root FOLDER              Debian's libraries for arm64, unpacked there; nothing is installed
#     arm64.sh run BUILD ARM FOLDER TEST... -- CLAIM...     tests of ARM, then claims of ARM beside those of BUILD
# Compared are all columns of the rows but seconds, threads, BLAS and what the program was built with.  Over fp, q and
# symbols each character is the same; so are MPFR's numbers and balls, but what a row says of them is a logarithm
# in doubles, which the C library rounds as it likes: 12 digits.  Doubles are summed by BLAS in an order of its own: what
# is measured there is not compared.  Needs gcc-aarch64-linux-gnu and qemu-user-static.
set -eu
unset CDPATH
export LC_ALL=C
lib=usr/lib/aarch64-linux-gnu

root() {
    root=$(mkdir -p "$1" && cd "$1" && pwd)
    [ ! -e "$root/.complete" ] || return 0
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | awk '
        $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^https?:.*debian/) { print $i; exit } }
        $1 == "URIs:" && $2 ~ /debian/ { print $2; exit }')
    dist=$(. /etc/os-release && echo "$VERSION_CODENAME")
    [ -n "$mirror" ] || { echo "make arm64: no Debian archive in /etc/apt/sources.list*" >&2; exit 2; }
    rm -rf "$root"
    mkdir -p "$root/apt/lists/partial" "$root/apt/cache/archives/partial" "$root/usr/lib" "$root/usr/bin"
    for folder in lib bin; do ln -s "usr/$folder" "$root/$folder"; done
    : > "$root/apt/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $dist main" > "$root/apt/sources"
    apt() {
        apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root \
            -o Dir::State="$root/apt" -o Dir::State::status="$root/apt/status" -o Dir::Cache="$root/apt/cache" \
            -o Dir::Etc::SourceList="$root/apt/sources" -o Dir::Etc::SourceParts=/dev/null "$@"
    }
    apt update
    arb=
    [ "$dist" != bookworm ] || arb=libflint-arb-dev     # Arb is a library of its own before FLINT 3
    # The libraries of src/build/deps.sh.
    apt --download-only --no-install-recommends -y install libc6-dev libgmp-dev libmpfr-dev libflint-dev $arb \
        libgsl-dev libopenblas-openmp-dev liblapacke-dev check libjansson-dev libcurl4-gnutls-dev nettle-dev libpcre2-dev \
        zlib1g-dev libbz2-dev liblzma-dev
    for deb in "$root"/apt/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$root"
    done
    # The links that the packages' scripts would make.
    for file in "$root"/usr/include/aarch64-linux-gnu/openblas-openmp/*.h; do
        ln -sf "openblas-openmp/${file##*/}" "$root/usr/include/aarch64-linux-gnu/${file##*/}"
    done
    for file in "$root/$lib"/openblas-openmp/lib*.so*; do
        ln -sf "openblas-openmp/${file##*/}" "$root/$lib/${file##*/}"
    done
    rm -rf "$root/apt"
    touch "$root/.complete"
}

# EMULATOR: for tests that run themselves again.
emulated() {
    BUILD=$arm OMP_WAIT_POLICY=passive CK_TIMEOUT_MULTIPLIER=20 EMULATOR="qemu-aarch64-static -L $root" \
        qemu-aarch64-static -L "$root" "$@"
}
failed() { failures="$failures $1"; }
claim() { "$@" --scale=quick --trials=1 --suite --out="$rows.csv" > "$rows.log" 2>&1 || failed "$name"; }

run() {
    build=$1 arm=$2 root=$3 failures=
    shift 3
    mkdir -p "$arm/rows" "$arm/beside"
    while [ "$1" != -- ]; do
        echo "$1 in an emulator of arm64"
        emulated "$arm/tests/$1" > "$arm/tests/$1.log" 2>&1 || failed "$1"
        tail -n 1 "$arm/tests/$1.log"
        shift
    done
    shift
    for name in "$@"; do
        rows=$arm/beside/$name
        claim "$build/theorems/$name"
        rows=$arm/rows/$name
        claim emulated "$arm/theorems/$name"
        awk -F , -v name="$name" '
            function number(text,   sign, point, p, x, k) {         # as %a writes it
                if (text !~ /^-?0x/) return text + 0
                sign = text ~ /^-/ ? -1 : 1
                sub(/^-?0x/, "", text)
                p = index(text, "p")
                point = index(text, ".")
                for (k = 1; k < p; k++)
                    if (k != point) x = 16 * x + index("0123456789abcdef", substr(text, k, 1)) - 1
                return sign * x * 2 ^ (substr(text, p + 1) - (point ? 4 * (p - 1 - point) : 0))
            }
            function close_by(a, b,   d) {
                a = number(a); b = number(b)
                d = a - b
                return (d < 0 ? -d : d) <= 1e-12 * (a < 0 ? -a : a)
            }
            NR == FNR { here[FNR] = $0; rows = FNR; next }
            FNR == 1 { for (i = 1; i <= NF; i++) { title[i] = $i; if ($i == "arith") over = i }; next }
            { n = split(here[FNR], was, ",")
              for (i = 1; i <= NF || i <= n; i++) {
                  if ($i "" == was[i] "" || title[i] ~ /^(seconds|threads|blas|build)$/) continue
                  if ($over == "f64" && title[i] ~ /^(log2gap|log2bound|slope|log2logit|kappa|what)$/) continue
                  if ($over ~ /^(mpfr|arb)$/ && title[i] ~ /^(log2gap|slope|log2logit)$/ && close_by(was[i], $i))
                      continue
                  print name ", row " FNR " over " $over ": " title[i] " is " was[i] " here, " $i " on arm64"
                  bad = 1
              } }
            END { if (FNR != rows || rows < 2) { print name ": " rows - 1 " rows here, " FNR - 1 " on arm64"; bad = 1 }
                  if (!bad) print name ": the same " rows - 1 " rows"
                  exit bad }' "$arm/beside/$name.csv" "$rows.csv" || failed "$name"
    done
    [ -z "$failures" ] || { echo "make arm64: failed or different:$failures; see $arm" >&2; exit 1; }
}

case ${1:-} in
root|run) what=$1; shift; $what "$@" ;;
*)        echo "arm64.sh takes root or run" >&2; exit 2 ;;
esac
