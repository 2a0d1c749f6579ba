#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How many statements the theorems are, as a list of those that say what another one says: formal_cases.sh BUILD LIST
# FILE.v.., after make has compiled src/formal and theorems/*.v into BUILD/formal.  A theorem is a case of another one
# where Coq proves it from that one in one step: its hypotheses, and `eapply` of the other, whose premises are among
# them.  Where each of two is a case of the other they are one statement.  A definition that one of them spells out
# hides it from Coq's step, so that the number of statements that is printed may be too large.  Columns of LIST, a line
# for each theorem that is a case:
#   file, theorem           the case
#   of_file, of_theorem     the theorem that says as much, or more, and is no case of another one
set -eu
B=$1 list=$2
shift 2
at=$B/formal
work=$at/cases
rm -rf "$work" && mkdir -p "$work"
name() { echo "$1" | sed 's|^src/formal/|Provably.|; s|^theorems/|Theorems.|; s|\.v$||'; }
for f in "$@"; do
    sed -n 's/^(\* Provably: .* theorem=\([A-Za-z0-9_]*\) quantifiers=.*/\1/p' "$f" | LC_ALL=C sort -u | sed "s|^|$f |"
done > "$work/theorems"

{ for f in "$@"; do echo "Require $(name "$f")."; done
  echo 'Ltac each := idtac'
  while read -r f t; do
      echo "; tryif assert_succeeds (timeout 10 (let H := fresh in pose proof @$(name "$f").$t as H; cbv zeta in H;"
      echo "    solve [simple eapply H; eassumption])) then idtac \"% $f $t\" else idtac"
  done < "$work/theorems"
  echo '.'
  while read -r f t; do
      echo "Goal True. idtac \"@ $f $t\". exact I. Qed."
      echo "Goal ltac:(let t := type of @$(name "$f").$t in let t := eval cbv zeta in t in exact t)."
      echo "intros. each. Abort."
  done < "$work/theorems"; } > "$work/ask.v"
coqc -q -w none -Q "$at/Provably" Provably -Q "$at/Theorems" Theorems "$work/ask.v" > "$work/said" || exit 1

# ---- each theorem's most general one: up to what is no case of it, then the first of those that are each other's
awk '
    /^@ / { from = $2 " " $3; name[++n] = from; next }
    /^% / { of = $2 " " $3; if (of == from) itself++; else is[from, of] }
    function covers(of, t) { return (t SUBSEP of) in is }
    function top(t,    k) {
        for (k = 1; k <= n; k++) if (covers(name[k], t) && !covers(t, name[k])) return top(name[k])
        for (k = 1; k <= n; k++) if (name[k] == t || (covers(name[k], t) && covers(t, name[k]))) return name[k]
    }
    END {
        if (itself < 0.9 * n) {
            print "make formal: of " n " theorems Coq finds " itself + 0 " to be cases of themselves" > "/dev/stderr"
            exit 1
        }
        print "file,theorem,of_file,of_theorem"
        for (k = 1; k <= n; k++) general[k] = top(name[k])
        for (k = 1; k <= n; k++) {
            line = name[k] "," general[k]
            gsub(" ", ",", line)
            if (general[k] != name[k]) print line
        }
    }' "$work/said" > "$work/csv" || exit 1
cases=$(($(wc -l < "$work/csv") - 1)) all=$(wc -l < "$work/theorems")
mv "$work/csv" "$list"
echo "$list: $all theorems are $((all - cases)) statements; $cases say what another one says, or a case of it"
