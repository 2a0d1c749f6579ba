#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs Debian's packages for a target of the Makefile: deps (build, tests), deps-report (TeX, and rsvg-convert for its
# plots), deps-dev (the checkers of `make lint` and `make fresh`), deps-formal (Coq).  Quiet when nothing is missing.
# A|B is satisfied by any of them, and A is installed when none is there.  What apt would remove is printed before
# anything is changed, and is removed only with DEPS_REMOVE=yes.
#   deps.sh TARGET [COLUMNS]            COLUMNS: the width of the terminal, for a line that shows what apt does
set -eu
columns=${2:-}
case "${1:-}" in
deps)        want="gcc g++ libc6-dev make libgmp-dev libmpfr-dev libflint-dev libgsl-dev libopenblas-openmp-dev
                   liblapacke-dev check libjansson-dev
                   libcurl4-gnutls-dev|libcurl4-openssl-dev|libcurl4-nss-dev nettle-dev libpcre2-dev
                   zlib1g-dev libbz2-dev liblzma-dev xz-utils" ;;
deps-report) want="texlive-latex-base texlive-latex-recommended texlive-latex-extra texlive-science
                   texlive-fonts-recommended lmodern librsvg2-bin" ;;
deps-dev)    want="clang clang-tidy cppcheck valgrind debootstrap libopenmpi-dev openmpi-bin
                   ccache mandoc bash zsh fish bsdutils chromium" ;;
deps-formal) want="coq libcoq-mathcomp-algebra ocaml-nox ocaml-findlib" ;;
*) echo "deps.sh takes deps, deps-report, deps-dev or deps-formal" >&2; exit 2 ;;
esac
target=$1
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "make $target: this is neither Debian nor Ubuntu: INSTALL.md has the packages of other systems; then" \
         "run make without $target" >&2
    exit 2
fi
installed() { dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }
any_installed() {                       # A|B|C
    for choice in $(echo "$1" | tr '|' ' '); do
        if installed "$choice"; then return 0; fi
    done
    return 1
}
# Each package is fetched, unpacked and set up.  On a terminal that is one line; what apt says is shown when it fails.
apt() {
    if [ -z "$columns" ]; then
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
        return
    fi
    said=$(mktemp)
    { LC_ALL=C $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$@" 2>&1 || echo "apt-get failed"; } |
        tee "$said" | awk '/^(Get:|Unpacking |Setting up )/ { print; fflush() }' | { n=0; while IFS= read -r line; do
            n=$((n + 1))
            sh src/build/progress.sh "$columns" $n $((3 * new)) '' "$line"
        done; }
    printf '\r\033[K'
    if tail -n 1 "$said" | grep -qx "apt-get failed"; then cat "$said" >&2; rm "$said"; return 1; fi
    rm "$said"
}
install() {
    missing=
    for p in "$@"; do any_installed "$p" || missing="$missing ${p%%|*}"; done
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "make $target: missing:$missing; run as root: apt-get install$missing" >&2; exit 2; }
        as_root=sudo
    fi
    [ -n "${updated:-}" ] || $as_root apt-get update -qq
    updated=yes
    plan=$(LC_ALL=C apt-get -s install --no-install-recommends $missing) ||
        { echo "make $target: apt-get cannot install$missing; it says why above" >&2; exit 2; }
    removed=$(echo "$plan" | awk '$1 == "Remv" { printf " %s", $2 }')
    if [ -n "$removed" ] && [ "${DEPS_REMOVE:-}" != yes ]; then
        echo "make $target: nothing was changed: to install$missing, apt would remove$removed" >&2
        echo "make $target: if that is wanted: DEPS_REMOVE=yes make $target" >&2
        exit 2
    fi
    new=$(echo "$plan" | awk '$1 == "Inst" && $3 !~ /^\[/ { n++ } END { print n + 0 }')
    newer=$(echo "$plan" | awk '$1 == "Inst" && $3 ~ /^\[/ { n++ } END { print n + 0 }')
    more=$((new - $(echo $missing | wc -w)))
    echo "make $target: installing$missing$([ $more -le 0 ] || echo " and $more that they need")$(
        [ "$newer" -eq 0 ] || echo ", upgrading $newer")${removed:+, removing$removed}"
    apt --no-install-recommends $missing
}
install $want
# Debian 12 has Arb as a library of its own; later systems have it inside FLINT.
if [ "$target" = deps ] && [ ! -e /usr/include/arb_mat.h ] && [ ! -e /usr/include/flint/arb_mat.h ]; then
    install libflint-arb-dev
fi
