#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What goes wrong without each hypothesis of a theorem, as a list: formal_needed.sh BUILD LIST FILE.v.., after make has compiled
# src/formal and theorems/*.v into BUILD/formal.  A theorem named by a comment (* Provably: .. theorem=NAME .. *) needs, for each
# hypothesis, a line of its file
#   (* Needed: theorem=NAME[,NAME..] hypothesis=WORDS lemma=[FILE.]LEMMA *)     a proved lemma that shows it
#   (* Needed: theorem=NAME[,NAME..] hypothesis=WORDS argued=WORDS *)           nothing can go wrong, and why
# Coq counts the hypotheses, the premises of type Prop: with fewer lines than these, or a lemma that rests on an axiom, nothing is
# written and the exit status is 1.  Columns of LIST:
#   file, theorem, hypothesis   of the line
#   lemma     the lemma; empty where it is argued
#   lemma_file, sha256          the file that has it, and the hash of its text
#   says      the last comment above the lemma, which may be that of several, or the argument
set -eu
B=$1 list=$2
shift 2
at=$B/formal
paths="-Q $at/Provably Provably -Q $at/Theorems Theorems"
work=$at/needed
rm -rf "$work" && mkdir -p "$work"
tab=$(printf '\t')

# ---- lines "N file theorem hypothesis lemma lemma's file says", and "T file theorem" for each theorem
LC_ALL=C awk '
    function wrong(what) { print FILENAME ":" FNR ": " what > "/dev/stderr"; bad = 1 }
    FNR == 1 { open = 0; above = "" }
    /^\(\* Provably: / { line = $0; sub(/.* theorem=/, "", line); sub(/ .*/, "", line); theorem[FILENAME " " line] = 1; next }
    /^ *\(\* Needed/ {
        if ($0 !~ /^\(\* Needed: theorem=[A-Za-z0-9_,]+ hypothesis=[^=]+ (lemma=[A-Za-z0-9_.]+|argued=.+) \*\)$/) {
            wrong("expected (* Needed: theorem=NAMES hypothesis=WORDS lemma=NAME *), or argued=WORDS for lemma"); next
        }
        line = $0; sub(/^\(\* Needed: theorem=/, "", line); sub(/ \*\)$/, "", line)
        names = line; sub(/ .*/, "", names); sub(/^[^ ]* hypothesis=/, "", line)
        words = line; sub(/ (lemma|argued)=.*/, "", words)
        lemma = why = ""
        if (line ~ / lemma=/) { lemma = line; sub(/.* lemma=/, "", lemma) } else { why = line; sub(/^.* argued=/, "", why) }
        if (length(words) > 159) wrong("a hypothesis of more than 159 characters")
        in_file = FILENAME
        if (lemma ~ /\./) { in_file = "theorems/" lemma; sub(/\..*/, ".v", in_file); sub(/^[^.]*\./, "", lemma) }
        m = split(names, name, ",")
        for (k = 1; k <= m; k++) {
            n++; of[n] = FILENAME " " name[k]; place[n] = FILENAME ":" FNR; is_lemma[n] = lemma == "" ? "" : in_file " " lemma
            row[n] = FILENAME "\t" name[k] "\t" words "\t" (lemma == "" ? "-" : lemma) "\t" (lemma == "" ? "-" : in_file); argued[n] = why
        }
        next
    }
    /^(Theorem|Corollary|Lemma|Proposition|Fact|Remark) / {
        name_of = $2; sub(/[^A-Za-z0-9_].*/, "", name_of); stated[FILENAME " " name_of] = 1; says[FILENAME " " name_of] = above; next
    }
    /^\(\* -+ .* -+ \*\)$/ { above = ""; next }
    /^\(\*/ || open {
        line = $0
        if (!open) { above = ""; sub(/^\(\* */, "", line) }
        open = line !~ /\*\)$/
        sub(/ *\*\)$/, "", line); sub(/^ +(\* *)?/, "", line)
        above = above (above == "" ? "" : " ") line
    }
    END {
        for (k = 1; k <= n; k++) {
            if (!(of[k] in stated)) { print place[k] ": there is no theorem " of[k] > "/dev/stderr"; bad = 1 }
            if (is_lemma[k] != "" && !(is_lemma[k] in stated)) { print place[k] ": there is no lemma " is_lemma[k] > "/dev/stderr"; bad = 1 }
            else if (is_lemma[k] != "" && says[is_lemma[k]] == "") {
                print place[k] ": no comment above " is_lemma[k] " says what goes wrong" > "/dev/stderr"; bad = 1
            }
            print "N\t" row[k] "\t" (is_lemma[k] == "" ? argued[k] : says[is_lemma[k]])
        }
        for (t in theorem) { split(t, w, " "); print "T\t" w[1] "\t" w[2] }
        exit bad
    }' "$@" > "$work/lines" || exit 1

# ---- one run of coqc: the hypotheses of every theorem, the axioms of every lemma
name() { echo "$1" | sed 's|^src/formal/|Provably.|; s|^theorems/|Theorems.|; s|\.v$||'; }
{ for f in "$@"; do echo "Require $(name "$f")."; done
  echo 'Ltac hypotheses := lazymatch goal with
    | |- forall _ : ?A, _ => let s := type of A in lazymatch s with Prop => idtac "hypothesis" | _ => idtac end; intro; hypotheses
    | |- let _ := _ in _ => intro; hypotheses
    | |- _ => idtac end.
Goal True. idtac "@ known three". exact I. Qed.
Goal forall (n : nat) (a b : bool), a = true -> b = true -> let c := a in orb c b = true -> True /\ (n = 0 -> True).
hypotheses. Abort.'
  grep "^T$tab" "$work/lines" | LC_ALL=C sort | while IFS="$tab" read -r _ file theorem; do
      echo "Goal True. idtac \"@ $file $theorem\". exact I. Qed."
      echo "Goal ltac:(let t := type of @$(name "$file").$theorem in exact t). hypotheses. Abort."
  done
  grep "^N$tab" "$work/lines" | cut -f5,6 | grep -v '^-' | LC_ALL=C sort -u | while IFS="$tab" read -r lemma file; do
      echo "Goal True. idtac \"% $file $lemma\". exact I. Qed."
      echo "Print Assumptions $(name "$file").$lemma."
  done; } > "$work/ask.v"
coqc -q -w none $paths "$work/ask.v" > "$work/said" || exit 1

awk -F'\t' '
    FILENAME == ARGV[1] && $1 == "N" { lines[$2 " " $3]++; next }
    FILENAME == ARGV[1] { next }
    /^@ / { split($0, w, " "); of = w[2] " " w[3]; asked[of] = 1; lemma = ""; next }
    /^% / { split($0, w, " "); lemma = w[2] " " w[3]; rests[lemma] = 1; next }
    /^hypothesis/ { count[of]++; next }
    /^Closed under the global context/ { rests[lemma] = 0 }
    END {
        if (count["known three"] != 3) { print "the count of hypotheses is wrong: " count["known three"] + 0 " for 3" > "/dev/stderr"; bad = 1 }
        delete asked["known three"]
        for (of in asked)
            if (lines[of] < count[of]) { print of ": " count[of] + 0 " hypotheses, " lines[of] + 0 " lines (* Needed: .. *)" | "LC_ALL=C sort >&2"; bad = 1 }
        for (lemma in rests) if (rests[lemma]) { print lemma " rests on axioms" > "/dev/stderr"; bad = 1 }
        exit bad
    }' "$work/lines" "$work/said" ||
    { echo "make formal: a hypothesis without what goes wrong when it is left out" >&2; exit 1; }

quoted() { case $1 in *[,\"]*) printf '"%s"' "$(printf %s "$1" | sed 's/"/""/g')" ;; *) printf %s "$1" ;; esac; }
{ echo file,theorem,hypothesis,lemma,lemma_file,sha256,says
  grep "^N$tab" "$work/lines" | LC_ALL=C sort | while IFS="$tab" read -r _ file theorem words lemma in_file says; do
      hash=
      if [ "$lemma" = - ]; then lemma= in_file=; else hash=$(sha256sum "$in_file" | cut -c1-64); fi
      echo "$file,$theorem,$(quoted "$words"),$lemma,$in_file,$hash,$(quoted "$says")"
  done; } > "$work/csv"
mv "$work/csv" "$list"
count() { grep -c "$1" "$2" || true; }
echo "$list: $(count '^@ theorems/' "$work/said") theorems with $(($(count '^hypothesis' "$work/said") - 3)) hypotheses;" \
     "$(cut -f5 "$work/lines" | count '[a-z]' -) lines name a lemma, of $(count "^N$tab" "$work/lines")"
