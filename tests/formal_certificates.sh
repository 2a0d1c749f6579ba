#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Coq's kernel reads and checks the texts of the certificates in BUILD/certificates, as `make certificates` has written
# them: formal_certificates.sh BUILD.  Each becomes a theorem `accepts_.. TEXT`; what it means say golden_text
# (src/formal/sym_text.v) for kind sym, golden_formulas (formulas.v) for matrix and recount, golden_network
# (networks_text.v) for relu-eq, relu-neq and no-j.  A text that is not accepted fails.  What is accepted:
# BUILD/formal/certificates.tsv.  A text is written as bytes, which Coq reads three times as fast as a literal string.
# A batch of texts is read again only when a text in it or the checker has changed.
set -eu
unset CDPATH
B=$1 each=110
at=$B/formal/certificates
paths="-Q $B/formal/Provably Provably"
mkdir -p "$at"
files=$(find "$B/certificates" -name '*.cert' 2>/dev/null | LC_ALL=C sort)
[ -n "$files" ] || { echo "make formal: there are no certificates in $B/certificates: make certificates, then make formal" >&2; exit 2; }
rm -f "$at"/*.new
echo "$files" | awk -v each=$each -v at="$at" '
    (NR - 1) % each == 0 {
        out = at "/b" int((NR - 1) / each) ".v.new"
        print "From Coq Require Import String.\nFrom Coq.Strings Require Import Byte." > out
        print "From mathcomp Require Import all_ssreflect.\nFrom Provably Require Import sym_text formulas networks_text." > out
        print "Inductive bytes := Bytes (_ : list byte).\nDefinition list_of (b : bytes) := let (l) := b in l." > out
        print "Declare Scope bytes_scope.\nDelimit Scope bytes_scope with bytes." > out
        print "String Notation bytes Bytes list_of : bytes_scope." > out
    }
    {
        printf "Definition text%d : string := string_of_list_byte (list_of \"", NR > out
        for (n = 1; (getline line < $0) > 0; n++) { if (n == 4) kind = line; gsub(/"/, "\"\"", line); print line > out }
        close($0)
        if (kind == "kind sym") { accepts = "accepts_sym"; golden = "golden_text" }
        else if (kind ~ /^kind (matrix|recount)$/) { accepts = "accepts_formulas"; golden = "golden_formulas" }
        else { accepts = "accepts_network"; golden = "golden_network" }
        printf "\"%%bytes).\nTheorem accepted%d : %s text%d.  (* %s *)\n", NR, accepts, NR, $0 > out
        print "Proof. vm_cast_no_check (erefl true). Qed." > out
        printf "Definition holds%d := %s accepted%d.\n", NR, golden, NR > out
    }'
began=$(date +%s)
for new in "$at"/*.new; do
    v=${new%.new}
    if [ -f "${v}o" ] && cmp -s "$new" "$v" && [ "${v}o" -nt "$B/formal/Provably/sym_text.vo" ] &&
        [ "${v}o" -nt "$B/formal/Provably/networks_text.vo" ]; then rm "$new"; continue; fi
    mv "$new" "$v"
    rm -f "${v}o"
    echo "$v"
done | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} sh -c 'echo "coq $1"; coqc -q -w none $2 "$1" || {
    echo "make formal: the kernel does not accept a certificate of $1" >&2; exit 255; }' sh {} "$paths" || exit 1
last=$(echo "$files" | wc -l)
last_batch=$at/b$(((last - 1) / each)).v
{ sed 's/^Theorem.*//' "$last_batch" | sed -n 's/^Definition holds\([0-9]*\).*/Print Assumptions holds\1./p'; } > "$at/assumptions"
name=$(basename "$last_batch" .v)
{ echo "Require $name. From Provably Require sym_text formulas networks_text."
  sed "s/holds/$name.holds/" "$at/assumptions" | tail -n 1
  printf 'Print Assumptions %s.\n' sym_text.golden_text formulas.golden_formulas networks_text.golden_network
} > "$at/axioms.v"
(cd "$at" && coqc -q -w none -Q ../Provably Provably -R . '' axioms.v) > "$at/axioms" 2>&1 || { cat "$at/axioms" >&2; exit 1; }
[ "$(grep -cx 'Closed under the global context' "$at/axioms")" = 4 ] || { cat "$at/axioms" >&2; echo "make formal: axioms" >&2; exit 1; }
# claim, part, theorem, its file, quantifiers, file, hash
echo "$files" | while read -r f; do
    claim=$(sed -n '2s/^claim //p' "$f") part=$(sed -n '3s/^part //p' "$f") kind=$(sed -n '4s/^kind //p' "$f")
    theorem=golden_network checker=networks_text
    case $kind in
    sym) depth=$(sed -n '6s/^depth //p' "$f") heads=$(sed -n '5s/^heads //p' "$f") theorem=golden_text checker=sym_text
        over="every commutative ring where the denominators are units; every size, matrix and function that meets the hypotheses; heads $heads; depth $depth" ;;
    matrix|recount) over="the matrices and numbers shown; every numFieldType" theorem=golden_formulas checker=formulas ;;
    relu-eq) over="the two networks shown; every input; every ordered field" ;;
    relu-neq) over="the two networks and the input shown; every ordered field" ;;
    no-j) over="the network shown; every set J of neurons; every numFieldType" ;;
    esac
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$claim" "$part" $theorem src/formal/$checker.v "$over" \
        "$(basename "$f")" "$(sha256sum < "$f" | cut -c1-64)"
done > "$B/formal/certificates.tsv"
echo "$last certificates accepted by the kernel in $(($(date +%s) - began)) s"
