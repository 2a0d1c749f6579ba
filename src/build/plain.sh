#!/bin/sh
# The theorem programs with the fast paths off, and whether anything but time comes out differently.
#   plain.sh run BUILD NAME OPTION...    one program with PROVABLY_PLAIN=1: its rows to BUILD/plain/NAME.csv
#   plain.sh compare BUILD NAME...       these rows beside those of `make check` in BUILD/evidence.  A row is found by
#                                        claim, part, case, arithmetic, shape, seed and trial, and, where a part checks
#                                        several things at one of these, by its place among them.
# Compared are all columns of the outcome.  Not compared: seconds, threads, BLAS, what the program was built with; and
# in floating point and balls what is measured and the verdict of the row has judged: log2gap, log2bound, slope,
# log2logit, kappa and `what`, the check with the worst gap.  Over fp, q and sym nothing is measured: they are compared.
# A plain run of fewer trials is compared as far as it goes; of as many, no row may be missing.  Exit status 1: the
# claims that differ are named, or a program did not end well.
set -eu
export LC_ALL=C
what=$1 build=$2
shift 2

run() {
    name=$1 at=$build/plain/$1 status=0
    shift
    mkdir -p "$build/plain"
    rm -f "$at.csv" "$at.failed"
    PROVABLY_PLAIN=1 timeout --foreground 3600 "$build/theorems/$name" --suite --out="$at.part" "$@" > "$at.log" 2>&1 || status=$?
    [ $status -eq 0 ] || echo $status > "$at.failed"
    rm -f "$at.part.ladder.csv" "$at.part.figures.csv"
    [ ! -e "$at.part" ] || mv "$at.part" "$at.csv"
}

compare() {
    differ=0
    for name in "$@"; do
        at=$build/plain/$name
        if [ -e "$at.failed" ] || [ ! -e "$at.csv" ] || [ ! -e "$build/evidence/$name.csv" ]; then
            echo "$name: no rows to compare, exit status $(cat "$at.failed" 2>/dev/null || echo unknown), see $at.log"
            differ=1
            continue
        fi
        awk -F , '
            function row(   key) {
                key = $(c["id"]) " " $(c["part"]) " " $(c["case"]) " over " $(c["arith"]) ", " $(c["shape"]) ", seed " \
                      $(c["seed"]) " trial " $(c["trial"])
                return key (++met[FILENAME, key] > 1 ? ", check " met[FILENAME, key] : "")
            }
            function compared(column) {
                if (column ~ /^(seconds|threads|blas|build)$/) return 0
                return column !~ /^(log2gap|log2bound|slope|log2logit|kappa|what)$/ || $(c["arith"]) ~ /^(fp|q|sym)$/
            }
            FNR == 1 { delete c; for (i = 1; i <= NF; i++) { c[$i] = i; title[i] = $i }
                       if (NR == 1) header = $0
                       else if ($0 != header) { print FILENAME ": other columns"; rows = bad = 1; exit }
                       next }
            { key = row() }
            NR == FNR { fast[key] = $0; last = $(c["trial"]) + 0 > last ? $(c["trial"]) + 0 : last; next }
            { rows++; trials = $(c["trial"]) + 0 > trials ? $(c["trial"]) + 0 : trials
              if (!(key in fast)) { print key ": only with the fast paths off"; bad = 1; next }
              n = split(fast[key], was, ",")
              delete fast[key]
              for (i = 1; i <= NF; i++)
                  if (compared(title[i]) && $i "" != was[i] "") {
                      print key ": " title[i] " is " was[i] ", plain " $i
                      bad = 1
                  } }
            END { if (!rows) { print FILENAME ": no rows"; bad = 1 }
                  if (trials == last) for (key in fast) { print key ": missing with the fast paths off"; bad = 1 }
                  exit bad }' "$build/evidence/$name.csv" "$at.csv" || differ=1
    done
    [ $differ -ne 0 ] || echo "The same outcomes with the fast paths off: $# programs"
    return $differ
}

case $what in
run)     run "$@" ;;
compare) compare "$@" ;;
*)       echo "plain.sh takes run or compare" >&2; exit 2 ;;
esac
