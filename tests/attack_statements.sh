#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# attack_statements.sh BUILD [ROUNDS [SEED [believe]]]: altered certificates beside the agreed list of statements, and
# none that states something else may be accepted.
#   Six programs write their certificates: of every kind, with matrices that are given and that are drawn.  Each is taken
# as it is (all must be accepted) and altered at random places (tests/formal_alter.awk), ROUNDS times in all, under its own
# name.  What proofcheck still accepts of these differs in rows of drawn matrices alone, which the list does not have: they are
# numbers for which the same statement holds.  Exit status 1: something else was accepted, which is printed; `believe`: these
# are taken for something else, too, so that it must fail.
set -eu
unset CDPATH
export LC_ALL=C
B=$1 rounds=${2:-3000} seed=${3:-1} believe=${4:-}
programs='k_t4_4 k_r1 k_e2 k_e1_suff b_23 b_33'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/written"
for p in $programs; do "$B/theorems/$p" --strict --certificates="$work/written" > /dev/null; done
"$B/proofcheck" --statements=reports/statements.csv "$work"/written/*.cert > "$work/said" || {
    grep -v ': accepted: ' "$work/said" >&2
    echo "attack: a certificate is not accepted as it is written" >&2; exit 1; }
files=$(ls "$work/written" | wc -l) accepted=0 bad=0
each=$(((rounds + files - 1) / files)) k=0

# What the list has of a certificate: everything but the rows of the matrices that it calls drawn.
stated() { if [ -n "$drawn" ]; then awk -v without="$drawn" -f src/build/drawn.awk "$1"; else cat "$1"; fi; }

for f in "$work"/written/*.cert; do
    k=$((k + 1)) name=$(basename "$f")
    drawn=$(awk -F, -v name="${name%.cert}" '$3 == name { print $4 }' reports/statements.csv)
    rm -rf "$work/altered"; mkdir "$work/altered"
    echo "$f" | awk -v rounds="$each" -v seed="$seed" -v piece="$k" -v to="$work/altered" -f tests/formal_alter.awk
    for a in "$work"/altered/*.cert; do mkdir "${a%.cert}"; mv "$a" "${a%.cert}/$name"; done
    stated "$f" > "$work/original"
    "$B/proofcheck" --statements=reports/statements.csv "$work"/altered/*/"$name" > "$work/said" || [ $? -eq 1 ]
    for a in $(sed -n 's/: accepted: .*//p' "$work/said"); do
        accepted=$((accepted + 1))
        stated "$a" > "$work/other"
        [ -z "$believe" ] && cmp -s "$work/original" "$work/other" || { bad=$((bad + 1)); diff "$f" "$a" | sed "s/^/$name: /" >&2 || true; }
    done
done
echo "  statements $((each * files)) altered certificates of $files, $bad that state something else accepted; $accepted with the same statement"
[ $bad -eq 0 ]
