#!/bin/sh
# Each certificate as an ordinary theorem about matrices 'M_(m, n), which coqc checks: formal_typed.sh BUILD [CLAIM], after
# formal_certificates.sh BUILD.  BUILD/formal/typed/NAME.v has the theorem of NAME.cert, its punctuation as `_`; with CLAIM, those
# of that claim alone.  A theorem is checked again when its text, its certificate or src/formal/typed.v is another.
# BUILD/formal/typed.csv lists each of these certificates with what became of it: `accepted`, `not written: REASON`, `not finished:
# N s`.  Exit status 1 where coqc refuses one.
set -eu
export LC_ALL=C
B=$1 claim=${2:-} limit=${LIMIT:-600}
at=$B/formal/typed awk=${TYPED_AWK:-tests/formal_typed.awk}
paths="-Q $B/formal/Provably Provably"
mkdir -p "$at"
find "$B/certificates" -name '*.cert' 2>/dev/null | sort | awk -v claim="$claim" '
    { getline l < $0; getline l < $0; close($0); if (claim == "" || l == "claim " claim) print NR, $0 }' > "$at/todo"
[ -s "$at/todo" ] || {
    echo "make formal-typed: no certificates${claim:+ of $claim} in $B/certificates: make certificates writes them," \
         "reports/claims.csv has the ids" >&2
    exit 2
}

# NUMBER FILE: the theorem, its outcome in NAME.said
cat > "$at/one.sh" <<'EOF'
number=$1 file=$2
name=$(basename "$file" .cert | sed 's/[^A-Za-z0-9]/_/g')
v=$at/$name.v batch=b$(((number - 1) / 40))
kind=$(sed -n '4s/^kind //p' "$file")
case $kind in
sym)    needs="text sym sym_sound sym_lines sym_worlds sym_text typed" parse=parse_sym
        empty="Certificate [::] [::] [::] [::]" write=$awk ;;
matrix) needs="text sym sym_sound numbers formulas typed_formulas" parse=parse_formulas
        empty="([::], [::])" write=${awk%.awk}_matrix.awk ;;
*)      echo "not written: no typed form of kind $kind yet" > "$at/$name.said"; exit 0 ;;
esac
{
    echo "From Coq Require Import String NArith ZArith."
    echo "From mathcomp Require Import all_ssreflect all_algebra."
    echo "From Provably Require Import $needs."
    echo "Require $batch."
    echo "Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive."
    echo "Import GRing.Theory. Local Open Scope ring_scope."
    echo "Delimit Scope Z_scope with Z."
    echo "Definition text$number := $batch.text$number. Definition accepted$number := $batch.accepted$number."
    echo "Definition c_$number := Eval vm_compute in"
    echo "  if $parse text$number is Some c then c else $empty."
    echo "Lemma parsed_$number : $parse text$number = Some c_$number."
    echo "Proof. vm_cast_no_check (erefl (Some c_$number)). Qed."
} > "$v.new"
if ! awk -v name="$name" -v number="$number" -f "$write" "$file" >> "$v.new" 2> "$v.why"; then
    echo "not written: $(head -n 1 "$v.why")" > "$at/$name.said"
    rm -f "$v.new" "$v.why" "$v" "${v}o"
    exit 0
fi
rm -f "$v.why"
if cmp -s "$v.new" "$v" && [ -e "${v}o" ] && [ "${v}o" -nt "$B/formal/Provably/${needs##* }.vo" ] &&
    [ "${v}o" -nt "$B/formal/certificates/$batch.vo" ]; then rm "$v.new"; exit 0; fi
mv "$v.new" "$v"
rm -f "${v}o"
echo "coq $v"
status=0
timeout "$limit" coqc -q -w none $paths -R "$B/formal/certificates" "" "$v" > "$at/$name.log" 2>&1 || status=$?
case $status in
0) echo accepted > "$at/$name.said" ;;
124) echo "not finished: $limit s" > "$at/$name.said" ;;
*) echo refused > "$at/$name.said"; tail -n 20 "$at/$name.log" >&2; echo "make formal-typed: coqc refuses $v" >&2; exit 1 ;;
esac
EOF
export B at awk limit paths
xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -n 2 sh "$at/one.sh" < "$at/todo" || refused=yes

{ echo "certificate,kind,theorem,outcome"
  while read -r number file; do
      name=$(basename "$file" .cert | sed 's/[^A-Za-z0-9]/_/g')
      echo "$(basename "$file"),$(sed -n '4s/^kind //p' "$file"),$name,\"$(sed 's/"/""/g' "$at/$name.said")\""
  done < "$at/todo"; } > "$B/formal/typed.csv"
awk -F'"' '
    NR > 1 { n++; what = $2; sub(/: .*/, "", what); if (what == "accepted") ok++; else other[what]++ }
    END {
        printf "%d of %d certificates are theorems about typed matrices", ok, n
        for (w in other) printf "; %d %s", other[w], w
        print ""
    }' "$B/formal/typed.csv"
awk -F'"' 'NR > 1 && $2 != "accepted" && $2 !~ /no typed form of kind/ { print "  " $0 }' "$B/formal/typed.csv"
[ -z "${refused:-}" ] || exit 1

# ---- the program that writes them, broken: coqc must refuse what it writes then
breaks=$at/breaks
mkdir -p "$breaks"
broken() {                              # CERTIFICATE SED: the file tests/formal_typed.awk is changed
    one=$(find "$B/certificates" -name '*.cert' | sort | awk -F/ -v name="$1.cert" '$NF == name { print NR, $0 }')
    [ -n "$one" ] || { echo "make formal-typed: there is no certificate $1 to try a broken program on" >&2; exit 1; }
    sed "$2" "$awk" > "$breaks/broken.awk"
    if cmp -s "$awk" "$breaks/broken.awk"; then echo "make formal-typed: $awk has nothing that $2 would break" >&2; exit 1; fi
    rm -f "$breaks"/*.log "$breaks"/*.v* "$breaks"/*.said
    # shellcheck disable=SC2086
    if at=$breaks awk=$breaks/broken.awk sh "$at/one.sh" $one > /dev/null 2>&1; then
        echo "make formal-typed: coqc takes a theorem of a broken program: $2" >&2; exit 1
    fi
    grep -q '^Error' "$breaks"/*.log && ! grep -q 'Syntax error\|was not found' "$breaks"/*.log ||
        { tail -n 20 "$breaks"/*.log >&2; echo "make formal-typed: $1, broken by $2, fails for another reason" >&2; exit 1; }
    n=$((${n:-0} + 1))
}
# a transpose, a hypothesis, a sign
broken K-P3.2-as-stated-3 's/within(word\[k, 3\], 3) "^T"$/within(word[k, 3], 3) (tight[word[k, 3]] == 3 ? "" : "^T")/'
broken K-P3.2-as-stated-3 's/suppose(x " \*m " y " = 1%:M")/suppose(x " *m " x " = 1%:M")/'
broken K-R4-corrected-query-basis 's/return " " sign " " multiple/return " + " multiple/'
echo "$n broken programs: what they write is refused"
