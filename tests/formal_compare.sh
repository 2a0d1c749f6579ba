#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do proofcheck and the checkers that are proved right agree?  formal_compare.sh BUILD ROUNDS SEED FOLDER: on every certificate
# in BUILD/certificates, each of which both must accept, and on ROUNDS altered ones (tests/formal_alter.awk).  The checkers
# are those of src/formal as an OCaml program.  Exit status 1 where they differ; the files that they differ about stay in
# BUILD/formal/compare/differ.  What proofcheck refuses because it would take too much work or memory is not compared:
# the proved checkers have no such limits.
# Altered ones come in pieces of 1,000 that depend on seed, piece and certificates alone.  BUILD/formal/compare/pieces.csv has a
# line for each piece that ended, and a call with the same seed resumes after it, until either checker or a certificate is
# another.  Then FOLDER/formal_compare.csv has the sum.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export LC_ALL=C
B=$1 rounds=$2 seed=$3 folder=$4 piece=1000
at=$B/formal/compare
cores=$(getconf _NPROCESSORS_ONLN)
. "${0%/*}/../src/build/machine.sh"
mkdir -p "$at/build"
fail() { echo "make formal-compare: $1" >&2; exit "${2:-1}"; }

# ---- the proved checkers as a program, anew when they are others
sources="tests/formal_accepts.v tests/formal_accepts.ml"
if [ ! -x "$at/accepts" ] || [ -n "$(find $sources "$B/formal/Provably" \( -name '*.vo' -o -name 'formal_accepts.*' \) -newer "$at/accepts")" ]; then
    cp $sources "$at/build"
    (cd "$at/build" && coqc -q -w none -Q ../../Provably Provably formal_accepts.v &&
        ocamlfind ocamlopt -O3 -w -a accepts.mli accepts.ml formal_accepts.ml -o ../accepts) > "$at/build.log" 2>&1 ||
        { cat "$at/build.log" >&2; exit 2; }
fi
find "$B/certificates" -name '*.cert' 2>/dev/null | sort > "$at/list"
[ -s "$at/list" ] || fail "no certificates in $B/certificates: make certificates" 2

# FILES: each as `NAME: accepted` or `NAME: rejected`, sorted; proofcheck's own limits: `NAME: limit`
by_proofcheck() {
    xargs -n 200 "$B/proofcheck" < "$1" 2>&1 |
        sed 's/^\([^:]*: \)rejected: line [0-9]*: too much .*/\1limit/; s/^\([^:]*: [a-z]*\).*/\1/' | sort
}
by_kernel_proved() { (ulimit -s unlimited; xargs -P "$cores" -n 50 "$at/accepts" < "$1") | sort; }
compared() {                            # FILES ANSWERS: both checkers' answers, which must be the same
    by_proofcheck "$1" > "$2.proofcheck" || true         # status 1: some are rejected
    sed -n 's/: limit$//p' "$2.proofcheck" > "$2.limits"
    grep -vxFf "$2.limits" "$1" > "$2.files" || true
    by_kernel_proved "$2.files" > "$2.formal"
    grep -v ': limit$' "$2.proofcheck" > "$2.c"
    [ "$(wc -l < "$2.formal")" = "$(wc -l < "$2.files")" ] || fail "the proved checker did not answer for each file of $1" 2
    cmp -s "$2.c" "$2.formal"
}
differ() {                              # ANSWERS WHERE: they differ
    diff "$1.c" "$1.formal" | grep '^[<>]' > "$at/differences" || true
    mkdir -p "$at/differ"
    sed 's/^. //; s/: [a-z]*$//' "$at/differences" | sort -u | while read -r f; do cp "$f" "$at/differ/$2-$(basename "$f")"; done
    head -n 20 "$at/differences" | sed 's/^</proofcheck: /; s/^>/proved:     /' >&2
    fail "proofcheck and the checker that is proved right differ; the files: $at/differ"
}

# ---- the certificates as they are
rm -rf "$at/differ"
hash=$(cat "$B/proofcheck" "$at/accepts" tests/formal_alter.awk $(cat "$at/list") | sha256sum | cut -c1-16)
if ! grep -qx "$hash" "$at/whole" 2>/dev/null; then
    rm -f "$at/whole" "$at/pieces.csv"
    compared "$at/list" "$at/certificates" || differ "$at/certificates" as-written
    ! grep -v ': accepted$' "$at/certificates.proofcheck" || fail "a certificate that is not accepted"
    echo "$hash" > "$at/whole"
fi
echo "proofcheck and the proved checker accept all $(wc -l < "$at/list") certificates"

# ---- altered ones, of those that are small
find $(cat "$at/list") -size -17k | sort > "$at/small"
work=$(mktemp -d "${TMPDIR:-$([ -d /dev/shm ] && echo /dev/shm || echo /tmp)}/formal_compare.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
touch "$at/pieces.csv"
k=0
while [ $((k * piece)) -lt "$rounds" ]; do
    n=$((rounds - k * piece < piece ? rounds - k * piece : piece))
    if ! grep -q "^$seed,$k,$n," "$at/pieces.csv"; then
        began=$(date +%s)
        rm -rf "$work/altered" && mkdir "$work/altered"
        awk -v rounds="$n" -v seed="$seed" -v piece="$k" -v to="$work/altered" -f tests/formal_alter.awk "$at/small"
        find "$work/altered" -name '*.cert' > "$work/files"
        compared "$work/files" "$work/piece" || differ "$work/piece" "seed-$seed-piece-$k"
        # seed, piece, altered, both accept, both reject, beyond proofcheck's limits, seconds
        echo "$seed,$k,$n,$(grep -c ': accepted$' "$work/piece.formal" || true),$(grep -c ': rejected$' "$work/piece.formal" ||
            true),$(wc -l < "$work/piece.limits"),$(($(date +%s) - began))" >> "$at/pieces.csv"
        echo "$((k * piece + n)) of $rounds altered certificates: no difference"
    fi
    k=$((k + 1))
done

# ---- the sum
mkdir -p "$folder"
out=$folder/formal_compare.csv
header=date,commit,hardware,features,coq,seed,certificates,altered,taken,refused,beyond_limits,disagreements,seconds
judged="src/formal src/proofcheck tests/formal_accepts.v tests/formal_accepts.ml tests/formal_alter.awk"
row=$(awk -F, -v seed="$seed" -v rounds="$rounds" -v piece="$piece" -v date="$(date +%F)" \
    -v commit="$(git log -1 --format=%h -- $judged 2>/dev/null || echo unknown)$(git diff --quiet HEAD -- $judged 2>/dev/null || echo -dirty)" \
    -v hardware="$hardware" -v features="$features" \
    -v coq="$(coqc --version | sed -n 's/.*version \([0-9.]*\).*/\1/p')" -v certificates="$(wc -l < "$at/list")" '
    $1 == seed && $3 == (rounds - $2 * piece < piece ? rounds - $2 * piece : piece) && !seen[$2]++ { n += $3; taken += $4; refused += $5; limits += $6; seconds += $7 }
    END { print date "," commit "," hardware "," features "," coq "," seed "," certificates "," n "," taken "," refused "," \
          limits ",0," seconds }' "$at/pieces.csv")
{ echo "$header"; { grep -sv "^date,\|,$seed,[0-9]*,$rounds,[0-9]*,[0-9]*,[0-9]*,0,[0-9]*$" "$out" || true; echo "$row"; } | sort -t, -k8,8n; } > "$out.part"
mv "$out.part" "$out"
echo "$row" | awk -F, '{ print $8 " altered certificates: both accept " $9 ", both refuse " $10 \
    ($11 > 0 ? ", " $11 " beyond the limits of proofcheck are not compared" : "") "; no disagreement; " $13 " s" }'
echo "Recorded in $out"
