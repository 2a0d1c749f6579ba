#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each certificate as an ordinary theorem, which coqc checks: formal_typed.sh BUILD [CLAIM], after formal_certificates.sh BUILD.
# BUILD/formal/typed/NAME.v has the theorem of NAME.cert, its punctuation as `_`; with CLAIM, those of that claim alone, with
# SAMPLE=n the n shortest of each kind, with KINDS='no-j recount' those of these kinds.  Coq is asked what each rests on: no
# axiom.  What became of a certificate is kept with the hash of the certificate, of its theorem and of what that needs,
# so that a run that was broken off resumes; one that did not finish within LIMIT processor seconds is tried again
# where LIMIT is more.  BUILD/formal/typed.csv lists each of these certificates with what became of it: `accepted`, `not written:
# REASON`, `not finished: N s`; with RECORD=FILE a run of all certificates of some kinds is recorded, a line for each kind, in which
# theirs replace older ones.  Exit status 1 where coqc refuses one.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export LC_ALL=C
B=$1 claim=${2:-} limit=${LIMIT:-300} sample=${SAMPLE:-0}
at=$B/formal/typed awk=${TYPED_AWK:-tests/formal_typed.awk}
paths="-Q $B/formal/Provably Provably"
. "${0%/*}/../src/build/machine.sh"
mkdir -p "$at"
# the shortest first: number, file
find "$B/certificates" -name '*.cert' 2>/dev/null | sort | awk -v claim="$claim" -v kinds=" ${KINDS:-} " '
    { size = 0; kind = of = ""
      for (n = 1; (getline line < $0) > 0; n++) { size += length(line); if (n == 2) of = line; if (n == 4) kind = line }
      close($0)
      if (claim != "" && of != "claim " claim || kinds != "  " && !index(kinds, " " substr(kind, 6) " ")) next
      print size, NR, kind, $0 }' |
    sort -n | awk -v most="$sample" '!most || ++seen[$4] <= most { print $2, $5 }' > "$at/todo"
[ -s "$at/todo" ] || {
    echo "make formal-typed: no certificates${claim:+ of $claim} in $B/certificates: make certificates writes them," \
         "reports/claims.csv has the ids" >&2
    exit 2
}

# NUMBER FILE: the theorem; NAME.said has its key, processor seconds and the outcome
cat > "$at/one.sh" <<'EOF'
number=$1 file=$2
name=$(basename "$file" .cert | sed 's/[^A-Za-z0-9]/_/g')
v=$at/$name.v batch=$(basename "$(grep -l "^Theorem accepted$number :" "$B"/formal/certificates/b*.v 2>/dev/null)" .v)
kind=$(sed -n '4s/^kind //p' "$file")
words="From mathcomp Require Import all_ssreflect all_algebra."
scope="Import GRing.Theory. Local Open Scope ring_scope." empty="([::], [::])" write=${awk%.awk}_matrix.awk
case $kind in
sym)     needs="text sym sym_sound sym_lines sym_worlds sym_text typed" parse=parse_sym
         empty="Certificate [::] [::] [::] [::]" write=$awk ;;
matrix)  needs="text sym sym_sound numbers formulas typed_formulas" parse=parse_formulas ;;
recount) needs="text sym sym_sound numbers formulas typed_formulas typed_numbers" parse=parse_formulas
         words="From Coq Require Import QArith. From mathcomp Require Import all_ssreflect."
         scope="Local Open Scope Q_scope." write=${awk%.awk}_numbers.awk ;;
*)       needs="text sym sym_sound numbers formulas relu networks networks_text typed_formulas typed_networks"
         parse=parse_network empty="(0, 0, NoJ (Net 0 [::] [::] [::]) None)%N"
         scope="From mathcomp Require Import matrix. $scope" ;;             # its `row`, not that of text.v
esac
said() { echo "$key $1 $2" > "$at/$name.new" && mv "$at/$name.new" "$at/$name.said"; }
{
    echo "From Coq Require Import String NArith ZArith."
    echo "$words"
    echo "From Provably Require Import $needs."
    echo "Require $batch."
    echo "Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive."
    echo "$scope"
    echo "Delimit Scope Z_scope with Z."
    echo "Definition text$number := $batch.text$number. Definition accepted$number := $batch.accepted$number."
    echo "Definition c_$number := Eval vm_compute in"
    echo "  if $parse text$number is Some c then c else $empty."
    echo "Lemma parsed_$number : $parse text$number = Some c_$number."
    echo "Proof. vm_cast_no_check (erefl (Some c_$number)). Qed."
} > "$v.new"
why=
awk -v name="$name" -v number="$number" -f "$write" "$file" >> "$v.new" 2> "$v.why" || why="not written: $(head -n 1 "$v.why")"
key=$({ cat "$file" "$v.new"; for f in $needs; do cat "src/formal/$f.v"; done; } | sha256sum | cut -c1-64)
if [ -e "$at/$name.said" ] && read -r was seconds outcome < "$at/$name.said" && [ "$was" = "$key" ]; then
    case $outcome in
    accepted) done=yes ;;
    'not finished: '*) tried=${outcome#not finished: }; [ "${tried% s}" -lt "$limit" ] || done=yes ;;
    esac
fi
if [ -n "${done:-}$why" ]; then
    [ -z "$why" ] || said 0 "$why"
    rm -f "$v.why" "$v.new"
    exit 0
fi
mv "$v.new" "$v"
rm -f "$v.why" "${v}o"
echo "Print Assumptions $name." >> "$v"
echo "coq $v"
status=0
(ulimit -t "$limit"; exec coqc -q -w none $paths -R "$B/formal/certificates" "" "$v") > "$at/$name.log" 2>&1 || status=$?
times > "$v.times"
seconds=$(tail -n 1 "$v.times" | awk -F'[ms ]+' '{ printf "%.1f", 60 * $1 + $2 + 60 * $3 + $4 }')      # of the children
rm -f "$v.times"
case $status in
0)  if [ "$(tail -n 1 "$at/$name.log")" = 'Closed under the global context' ]; then said "$seconds" accepted; exit 0; fi
    said "$seconds" refused; tail -n 20 "$at/$name.log" >&2; echo "make formal-typed: $v rests on an axiom" >&2; exit 1 ;;
137|152) said "$seconds" "not finished: $limit s" ;;                        # killed at the limit
*)  said "$seconds" refused; tail -n 20 "$at/$name.log" >&2; echo "make formal-typed: coqc refuses $v" >&2; exit 1 ;;
esac
EOF
export B at awk limit paths
xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -n 2 sh "$at/one.sh" < "$at/todo" || refused=yes

{ echo "certificate,kind,theorem,seconds,outcome"
  sort -n "$at/todo" | while read -r number file; do
      name=$(basename "$file" .cert | sed 's/[^A-Za-z0-9]/_/g')
      read -r key seconds outcome < "$at/$name.said"
      echo "$(basename "$file"),$(sed -n '4s/^kind //p' "$file"),$name,$seconds,\"$(echo "$outcome" | sed 's/"/""/g')\""
  done; } > "$B/formal/typed.csv"
# kind certificates accepted seconds, a line for each kind
awk -F'[,"]+' '
    NR > 1 { all[$2]++; seconds[$2] += $4; good[$2] += $5 == "accepted" }
    END { for (kind in all) printf "%s %d %d %.0f\n", kind, all[kind], good[kind], seconds[kind] }' "$B/formal/typed.csv" |
    sort > "$at/kinds"
awk '{ printf "%s: %d of %d, %d processor seconds\n", $1, $3, $2, $4; n += $2; good += $3 }
     END { print good " of " n " certificates are ordinary theorems that coqc accepts, without axioms" }' "$at/kinds"
awk -F'"' 'NR > 1 && $2 != "accepted" { print "  " $0 }' "$B/formal/typed.csv"
[ -z "${refused:-}" ] || exit 1

# ---- the programs that write them, broken: coqc must refuse what they write then
breaks=$at/breaks
mkdir -p "$breaks"
broken() {                              # CERTIFICATE KIND SED: the file that writes those of this kind is changed
    one=$(find "$B/certificates" -name '*.cert' | sort | awk -F/ -v name="$1.cert" '$NF == name { print NR, $0 }')
    [ -n "$one" ] || { echo "make formal-typed: there is no certificate $1 to try a broken program on" >&2; exit 1; }
    from=${awk%.awk}$2.awk
    sed "$3" "$from" > "$breaks/broken$2.awk"
    if cmp -s "$from" "$breaks/broken$2.awk"; then echo "make formal-typed: $from has nothing that $3 would break" >&2; exit 1; fi
    rm -f "$breaks"/*.log "$breaks"/*.v* "$breaks"/*.said
    cp "$at/one.sh" "$breaks/one.sh"
    # shellcheck disable=SC2086
    if at=$breaks awk=$breaks/broken.awk sh "$at/one.sh" $one > /dev/null 2>&1; then
        echo "make formal-typed: coqc takes a theorem of a broken program: $3" >&2; exit 1
    fi
    grep -q '^Error' "$breaks"/*.log && ! grep -q 'Syntax error\|was not found' "$breaks"/*.log ||
        { tail -n 20 "$breaks"/*.log >&2; echo "make formal-typed: $1, broken by $3, fails for another reason" >&2; exit 1; }
    n=$((${n:-0} + 1))
}
# a transpose, a hypothesis, a sign
broken K-P3.2-as-stated-3 '' 's/within(word\[k, 3\], 3) "^T"$/within(word[k, 3], 3) (tight[word[k, 3]] == 3 ? "" : "^T")/'
broken K-P3.2-as-stated-3 '' 's/suppose(x " \*m " y " = 1%:M")/suppose(x " *m " x " = 1%:M")/'
broken K-R4-corrected-query-basis '' 's/return " " sign " " multiple/return " + " multiple/'
# matrix: a transpose, an order; recount: the sides, a decimal point; networks: a sign, a skip, the neurons outside J
broken B-24-as-stated-sign _matrix 's/ "^T"; tight\[n\] = 2/; tight[n] = 2/'
broken B-24-as-stated-sign _matrix 's/0 0 " w\[k\] " (/0 0 <= (/'
broken K-N-chinchilla-as-stated-slips _numbers 's/: left " " how " " right/: right " " how " " left/'
broken K-N-wd-corrected _numbers 's/noughts = length(w\[2\]) - 1/noughts = length(w[2])/'
broken F4-as-stated-lifted _matrix 's/ + " skip " \*m x"/ - " skip " *m x"/'
broken K-E-disjoint-as-stated-signs _matrix 's/network("V1", "V2", "Y")/network("V1", "V2", "Z")/'
broken K-E1-R8-corrected-m-below-h-generic _matrix 's/_(j | J j)/_j/'
echo "$n broken programs: what they write is refused"

# ---- the record of a run of all
[ -n "${RECORD:-}" ] && [ -z "$claim" ] && [ "$sample" = 0 ] || exit 0
judged="src/formal tests/formal_typed.sh tests/formal_typed.awk tests/formal_typed_matrix.awk tests/formal_typed_numbers.awk"
header=date,commit,hardware,features,coq,kind,certificates,accepted,not_accepted,processor_seconds
{ echo "$header"
  { awk 'NR == FNR { now[$1]; next } FNR > 1 { split($0, w, ","); if (!(w[6] in now)) print }' "$at/kinds" "$RECORD" 2>/dev/null || true
  awk -v date="$(date +%F)" \
    -v commit="$(git log -1 --format=%h -- $judged 2>/dev/null || echo unknown)$(git diff --quiet HEAD -- $judged 2>/dev/null || echo -dirty)" \
    -v hardware="$hardware" -v features="$features" \
    -v coq="$(coqc --version | sed -n 's/.*version \([0-9.]*\).*/\1/p')" -v OFS=, '
    { print date, commit, hardware, features, coq, $1, $2, $3, $2 - $3, $4 }' "$at/kinds"; } | sort -t, -k6,6; } > "$RECORD.part"
mv "$RECORD.part" "$RECORD"
echo "Recorded in $RECORD"
