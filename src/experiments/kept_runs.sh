#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# kept_runs.sh - long experiments over several sittings or machines: what is recorded of finished runs, without weights.
#
#   kept_runs.sh keep   PRESET OUT [ARCHIVES]   packs the finished runs of OUT that no archive has yet
#   kept_runs.sh unpack PRESET OUT [ARCHIVES]   puts all packed runs into OUT, where the same
#                                               `provably reproduce PRESET --out=OUT` finds them finished
# OUT is the folder of the preset's runs.  Archives are ARCHIVES/PRESET-1.tar.xz, -2, ... (reports/results/runs): of each
# run evals.csv, losses.csv and models.csv, from which its record is made, and `done`, which says its command and machine.
# An archive may come from anyone: one that holds anything but regular files RUN/FILE of these names is refused whole.
set -eu
export LC_ALL=C
fail() { printf '%s\n' "kept_runs.sh: $1" >&2; exit 2; }            # dash's echo turns \033 into an escape
[ $# -eq 3 ] || [ $# -eq 4 ] || fail "usage: kept_runs.sh keep|unpack PRESET OUT [ARCHIVES]"
preset=$2 out=$3 kept=${4:-reports/results/runs}
case $preset in ''|*/*|*[!a-z0-9-]*) fail "'$preset' is no name of a preset; provably reproduce --list shows them" ;; esac
[ -d "$out" ] || [ "$1" = unpack ] || fail "there is no folder $out; give the --out of provably reproduce $preset"

# The archives in the order of their numbers: gpt-d128-1.tar.xz, not gpt-d128-tune-1.tar.xz.
archives() { for n in $(seq 1 "$1"); do echo "$kept/$preset-$n.tar.xz"; done; }
count=0
while [ -f "$kept/$preset-$((count + 1)).tar.xz" ]; do count=$((count + 1)); done
for a in "$kept/$preset"-*.tar.xz; do                            # gpt-d128-tune-1 is none of gpt-d128
    n=${a##*"$preset"-} n=${n%.tar.xz}
    case $n in ''|*[!0-9]*) continue ;; esac
    [ "$n" -le "$count" ] || fail "$a is there, and $kept/$preset-$((count + 1)).tar.xz is not; get that again"
done

# All packed runs into the new folder $new.
unpack_new() {
    trap 'rm -rf "$new"' EXIT
    trap 'exit 130' INT; trap 'exit 143' TERM; trap 'exit 129' HUP
    for a in $(archives "$count"); do
        tar -tvJf "$a" > "$new/list" || fail "cannot read $a; get it again. Nothing was changed"
        strange=$(grep -v '^-' "$new/list" | head -n 1)
        [ -z "$strange" ] || fail "$a holds what is not a regular file: $strange. Do not trust it. Nothing was changed"
        tar -tJf "$a" --quoting-style=escape > "$new/list"
        strange=$(grep -vE '^[A-Za-z0-9][A-Za-z0-9._+=-]*/(done|evals\.csv|losses\.csv|models\.csv)$' "$new/list" | head -n 1)
        [ -z "$strange" ] || fail "$a holds $strange, which is not RUN/done, evals.csv, losses.csv or models.csv. Do not trust it. Nothing was changed"
        rm "$new/list"
        tar -xJf "$a" -C "$new" --no-same-owner || fail "cannot read $a; get it again. Nothing was changed"
    done
    strange=$(find "$new" ! -type d ! -type f | head -n 1)
    [ -z "$strange" ] || fail "an archive of $kept made $strange, which is not a regular file. Nothing was changed"
}
is_there() { [ -e "$1" ] || [ -L "$1" ]; }                        # also a link that leads nowhere
# What is packed of a run is what its folder has, or one of the two is another run of this name.
must_agree() {
    for f in "$1"/*; do
        its=$2/$(basename "$f")
        ! is_there "$its" || cmp -s "$f" "$its" ||
            fail "$its is not what $kept has of $(basename "$2"): keep one of the two runs. Nothing was changed"
    done
}

keep() {
    case $preset in
        trained-theorems|quick) fail "what is recorded of $preset is made from weights, which archives do not hold" ;;
    esac
    new=$(mktemp -d)
    unpack_new
    list=$new/list runs=0
    for done in "$out"/*/done; do
        run=$(basename "$(dirname "$done")")
        [ -s "$done" ] && [ -s "$out/$run/evals.csv" ] || continue
        must_agree "$new/$run" "$out/$run"
        more=0
        for f in done evals.csv losses.csv models.csv; do        # a file may come later, as losses.csv of an old run
            [ -f "$out/$run/$f" ] && [ ! -f "$new/$run/$f" ] || continue
            [ ! -L "$out/$run/$f" ] || fail "$out/$run/$f is a symbolic link, which is not packed; put the file there. Nothing is kept"
            echo "$run/$f" >> "$list"
            more=1
        done
        runs=$((runs + more))
    done
    [ $runs -gt 0 ] || { echo "no finished run of $preset in $out that is not kept already"; return; }
    to=$kept/$preset-$((count + 1)).tar.xz
    mkdir -p "$kept"
    part=$(mktemp -d "$kept/.kept-XXXXXX")
    trap 'rm -rf "$new" "$part"' EXIT
    tar -cJf "$part/runs" -C "$out" --owner=0 --group=0 --numeric-owner --files-from="$list" ||
        fail "cannot write $to; nothing is kept"
    ! is_there "$to" || fail "$to is there by now; run this again"
    mv "$part/runs" "$to"
    echo "$to: $runs finished runs"
}

unpack() {
    [ "$count" -gt 0 ] || fail "there is no $kept/$preset-1.tar.xz: no run of $preset is kept"
    mkdir -p "$out"
    new=$(mktemp -d "$out/.unpacked-XXXXXX")
    unpack_new
    for run in "$new"/*/; do                                     # a begun run has other lines than the finished one
        its=$out/$(basename "$run")
        ! is_there "$its" || [ -f "$its/done" ] || fail "$its has begun and is kept as finished: remove it, or choose another folder"
        must_agree "$run" "$its"
    done
    for run in "$new"/*/; do
        its=$out/$(basename "$run")
        is_there "$its" || { mv "$run" "$out/"; continue; }
        for f in "$run"*; do is_there "$its/$(basename "$f")" || mv "$f" "$its/"; done
    done
    echo "$out: $(find "$out" -mindepth 2 -maxdepth 2 -name done | wc -l) finished runs"
}

case $1 in keep) keep ;; unpack) unpack ;; *) fail "the first word is keep or unpack, not $1" ;; esac
