#!/bin/sh
# Installs Debian's packages for a target of the Makefile: deps (build, tests, plots), deps-report
# (TeX), deps-dev (the checkers of `make lint` and `make fresh`).  Quiet when nothing is missing.
set -eu
case "${1:-}" in
deps)        want="gcc g++ libc6-dev make libgmp-dev libmpfr-dev libflint-dev libgsl-dev libopenblas-openmp-dev
                   liblapacke-dev check gnuplot-nox libjansson-dev
                   libcurl4-gnutls-dev nettle-dev libpcre2-dev zlib1g-dev libbz2-dev liblzma-dev" ;;
deps-report) want="texlive-latex-base texlive-latex-recommended texlive-latex-extra texlive-science
                   texlive-fonts-recommended lmodern" ;;
deps-dev)    want="clang clang-tidy cppcheck valgrind debootstrap libopenmpi-dev openmpi-bin" ;;
*) echo "deps.sh takes deps, deps-report or deps-dev" >&2; exit 2 ;;
esac
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "make $1: this is not Debian or Ubuntu; install by hand:" $want >&2
    exit 2
fi
install() {
    missing=
    for p in "$@"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$p" 2>/dev/null | grep -qx installed || missing="$missing $p"
    done
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "make $target: missing:$missing; run as root: apt-get install$missing" >&2; exit 2; }
        as_root=sudo
    fi
    echo "make $target: installing$missing"
    [ -n "${updated:-}" ] || $as_root apt-get update -qq
    updated=yes
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
target=$1
install $want
# Debian 12 has Arb as a library of its own; later systems have it inside FLINT.
if [ "$target" = deps ] && [ ! -e /usr/include/arb_mat.h ] && [ ! -e /usr/include/flint/arb_mat.h ]; then
    install libflint-arb-dev
fi
