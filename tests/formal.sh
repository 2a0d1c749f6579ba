#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What Coq's kernel has accepted, as a list: formal.sh BUILD LIST FILE.v.., after make has compiled src/formal and theorems/*.v into
# BUILD/formal.  coqchk, a second checker of the kernel's language, reads the compiled files again; each theorem's axioms
# are asked for; then LIST is written, a line for each comment
#   (* Provably: claim=K-T4.4 part=corrected theorem=NAME quantifiers=every n, d, .. *)
# above the theorem NAME of that file:
#   kind      theorem
#   claim, part, theorem, quantifiers   of the comment
#   file, sha256       the .v file that has the statement
#   needs, needs_sha256       the other .v files of ours that it needs, in the order in which they are compiled, and the hash
#                             of their texts one after the other
#   axioms    none, or their names
#   log_sha256   the hash of what both checkers said of it: of the lines of LIST's log that begin with `coqchk: `, and its own
# The log, beside the list (formal.csv: formal_log.txt), has a line for each part of coqchk's summary, without the axioms of the
# whole library, which differ between versions of Coq, and a line
#   FILE SHA256 NEEDS_SHA256 THEOREM: Closed under the global context
# for each theorem, or `Axioms: NAMES`; NEEDS_SHA256 is `-` where the file needs none of ours.
# LIST has also a line for each certificate that formal_certificates.sh has let the kernel check: kind certificate, theorem golden_text,
# golden_formulas or golden_network, file and sha256 those of the certificate, no log.
set -eu
B=$1 list=$2 log=${2%.csv}_log.txt
shift 2
at=$B/formal
paths="-Q $at/Provably Provably -Q $at/Theorems Theorems"
work=$at/list
rm -rf "$work" && mkdir -p "$work"

# ---- the comments; each theorem named is one of its file, each part named once
awk '
    /^\(\* Provably:/ {
        line = $0
        if (line !~ /^\(\* Provably: claim=[^ ]+ part=[^ ]+ theorem=[A-Za-z_][A-Za-z0-9_]* quantifiers=.+ \*\)$/) {
            print FILENAME ":" FNR ": expected (* Provably: claim=ID part=PART theorem=NAME quantifiers=WORDS *)" > "/dev/stderr"
            bad = 1; next
        }
        sub(/^\(\* Provably: claim=/, "", line); sub(/ \*\)$/, "", line)
        claim = line; sub(/ .*/, "", claim); sub(/^[^ ]* part=/, "", line)
        part = line; sub(/ .*/, "", part); sub(/^[^ ]* theorem=/, "", line)
        theorem = line; sub(/ .*/, "", theorem); sub(/^[^ ]* quantifiers=/, "", line)
        n++; is[n] = claim "\t" part "\t" theorem "\t" line "\t" FILENAME; named[n] = FILENAME " " theorem; from[n] = FILENAME ":" FNR
        if (seen[claim, part, theorem]++) { print from[n] ": a second comment for this part and theorem" > "/dev/stderr"; bad = 1 }
    }
    /^(Theorem|Corollary|Lemma|Proposition) / { name = $2; sub(/[^A-Za-z0-9_].*/, "", name); stated[FILENAME " " name] = 1 }
    END {
        for (k = 1; k <= n; k++)
            if (named[k] in stated) print is[k]
            else { print from[k] ": no Theorem, Corollary, Lemma or Proposition of that name in this file" > "/dev/stderr"; bad = 1 }
        exit bad
    }' "$@" > "$work/named" || exit 1

module() { echo "$1" | sed 's|^src/formal/|Provably.|; s|^theorems/|Theorems.|; s|\.v$||'; }
modules=$(for f in "$@"; do module "$f"; done)

# ---- the second checker; what the distribution has compiled (Coq's and MathComp's own files) it takes as it finds it
coqchk -silent -o $(for m in $modules; do echo "-norec $m"; done) $paths > "$work/coqchk" 2>&1 ||
    { cat "$work/coqchk" >&2; echo "make formal: coqchk refuses what coqc has compiled" >&2; exit 1; }

# ---- axioms: one run of coqc asks for those of every theorem
cut -f3,5 "$work/named" | sort -u | while IFS="$(printf '\t')" read -r theorem file; do
    echo "Goal True. idtac \"@ $file $theorem\". exact I. Qed."
    echo "Print Assumptions $(module "$file").$theorem."
done > "$work/body"
{ for m in $modules; do echo "Require $m."; done; cat "$work/body"; } > "$work/axioms.v"
coqc -q -w none $paths "$work/axioms.v" > "$work/axioms" || exit 1
awk '
    /^@ / { if (of != "") print of "\t" (none ? "none" : names == "" ? "unknown" : names); of = $2 "\t" $3; none = 0; names = ""; next }
    /^Closed under the global context/ { none = 1; next }
    /^[A-Za-z_][A-Za-z0-9_.]* :/ || /^[A-Za-z_][A-Za-z0-9_.]*$/ { names = names (names == "" ? "" : " ") $1 }
    END { if (of != "") print of "\t" (none ? "none" : names == "" ? "unknown" : names) }' "$work/axioms" > "$work/axioms.list"

# ---- what each file needs, itself not, in the order of compilation
coqdep -sort -Q src/formal Provably -Q theorems Theorems "$@" |
    tr ' ' '\n' | grep . > "$work/order"
sed 's|^[^ ]*formal/Provably/|src/formal/|; s| [^ ]*formal/Provably/| src/formal/|g
     s|^[^ ]*formal/Theorems/|theorems/|; s| [^ ]*formal/Theorems/| theorems/|g; s|\.vo|.v|g' "$at/depends" > "$work/needs"
needs() {
    awk -v of="$1" '
        FILENAME == ARGV[1] { file = $1; sub(/:$/, "", file); for (k = 2; k <= NF; k++) need[file] = need[file] " " $k; next }
        { order[++n] = $1 }
        function take(f,    w, k, m) { m = split(need[f], w, " "); for (k = 1; k <= m; k++) if (!(w[k] in taken)) { taken[w[k]]; take(w[k]) } }
        END { take(of); for (k = 1; k <= n; k++) if (order[k] in taken) print order[k] }' "$work/needs" "$work/order"
}
hash() { cat "$@" | sha256sum | cut -c1-64; }
quoted() { case $1 in *[,\"]*) printf '"%s"' "$(printf %s "$1" | sed 's/"/""/g')" ;; *) printf %s "$1" ;; esac; }

# ---- the log: coqchk's summary, each section as one line, and what Coq says each theorem rests on
awk '
    /^\* Axioms/ { if (within) print text; within = 0; next }
    /^\* / { if (within) print text; within = 1; text = "coqchk:" substr($0, 2); next }
    within && NF { $1 = $1; text = text " " $0 }
    END { if (within) print text }' "$work/coqchk" > "$work/summary"
[ "$(grep -c ': <none>$' "$work/summary")" -ge 3 ] || {
    cat "$work/coqchk" >&2; echo "make formal: coqchk assumes more than a theorem may, or its summary has another form" >&2; exit 1; }
log_line() {                            # FILE SHA256 NEEDS_SHA256 THEOREM AXIOMS
    if [ "$5" = none ]; then echo "$1 $2 $3 $4: Closed under the global context"; else echo "$1 $2 $3 $4: Axioms: $5"; fi
}

{ echo kind,claim,part,theorem,quantifiers,file,sha256,needs,needs_sha256,axioms,log_sha256
  LC_ALL=C sort "$work/named" | while IFS="$(printf '\t')" read -r claim part theorem quantifiers file; do
      need=$(needs "$file" | tr '\n' ' '); need=${need% }
      axioms=$(awk -F'\t' -v f="$file" -v t="$theorem" '$1 == f && $2 == t { print $3 }' "$work/axioms.list")
      sha256=$(hash "$file") needs_sha256=$([ -z "$need" ] || hash $need)
      log_line "$file" "$sha256" "${needs_sha256:--}" "$theorem" "${axioms:-unknown}" > "$work/line"
      cat "$work/line" >> "$work/lines"
      echo "theorem,$claim,$part,$theorem,$(quoted "$quantifiers"),$file,$sha256,$need,$needs_sha256,$(
          quoted "${axioms:-unknown}"),$(hash "$work/summary" "$work/line")"
  done; } > "$work/csv"
if grep -q ',unknown,[0-9a-f]*$' "$work/csv"; then
    grep ',unknown,[0-9a-f]*$' "$work/csv" >&2; echo "make formal: Coq does not say what these rest on" >&2; exit 1
fi
if [ -f "$at/certificates.tsv" ]; then
    while IFS="$(printf '\t')" read -r claim part theorem checker quantifiers file sha256; do
        [ "$checker" = "${of:-}" ] || {
            of=$checker need="$(needs $checker | tr '\n' ' ')$checker" hash=$(hash $(needs $checker) $checker); }
        echo "certificate,$claim,$part,$theorem,$(quoted "$quantifiers"),$file,$sha256,$need,$hash,none,"
    done < "$at/certificates.tsv" >> "$work/csv"
fi
{ cat "$work/summary"; LC_ALL=C sort -u "$work/lines"; } > "$work/log"
mv "$work/log" "$log"
mv "$work/csv" "$list"
echo "$list: $(grep -c '^theorem,' "$list" || true) theorems, $(grep -c '^certificate,' "$list" || true) certificates"
