#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The bound of doubles on trial: every claim and control over f64, 200 seeds, draws scaled by 1/4, 1, 2.
#   bounds.sh BUILD [TRIALS]
# The bound contains the error (numerics/f64_error.h), so no claim may exceed it; printed: the largest gap/bound of a
# claim, the smallest of a refuted control, and how many controls doubles could not tell from the claim.  Those are
# trials whose draws were doubled: their scores are so large that softmax saturates; at the suite's own scale there
# must be none.  Where balls tell the errors, the gap may reach its bound: both are then the same error.  Undecided are
# draws without an inverse and arguments at the edge of a domain.
set -eu
B=$1 trials=${2:-200}
out=$B/bounds
rm -rf "$out"; mkdir -p "$out"
list() {
    for p in "$B"/theorems/*.o; do for g in -2 0 1; do echo "${p%.o} $g"; done; done
}
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 out trials
list | xargs -P 2 -L 1 sh -c '"$0" --suite --arith=f64 --trials="$trials" --gain="$1" --out="$out/$(basename "$0")$1.csv" > "$out/$(basename "$0")$1.log" 2>&1 || true'
awk -F, -f "$(dirname "$0")/number.awk" -f - $(ls "$out"/*.csv | grep -v "ladder\|figures") <<'END'
$5 != "f64" || $3 != "identity" { next }
$10 == "undecided" { undecided[$4 == "claim"]++; next }
$12 == "-inf" { exact++; if ($4 == "claim" && $10 == "refuted") { bad++; print "not equal: " $0 }; next }      # nothing rounded
# A claim that two sides differ, within their bound: doubles cannot tell them apart, as in a control.
$4 == "claim" && $10 == "refuted" && number($11) <= number($12) { weak++; if (FILENAME !~ /1\.csv$/) { bad_control++; print "difference not seen: " $0 } next }
$4 == "claim" { claims++; if (number($11) - number($12) > worst || !seen++) { worst = number($11) - number($12); at = $0 } if ($10 == "refuted") { bad++; print "exceeded: " $0 } next }
{ controls++; if ($10 == "holds") { weak++; if (FILENAME !~ /1\.csv$/) { bad_control++; print "control not told apart: " $0 } } else if (number($11) > number($12) && (number($11) - number($12) < least || !seen_control++)) { least = number($11) - number($12); at_control = $1 " " $2 " " $4 } }
END {
    printf "%d claim trials, %d exceeded their bound; largest gap/bound 2^%.2f\n", claims, bad, worst
    printf "%d control trials, %d not told apart, with claims of a difference (all with draws doubled); smallest gap/bound 2^%.2f (%s)\nundecided: %d claim trials, %d control trials; not rounded: %d\n", controls, weak, least, at_control, undecided[1], undecided[0], exact
    exit bad > 0 || bad_control > 0 || claims == 0
}
END
