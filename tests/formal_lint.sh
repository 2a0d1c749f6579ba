#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# formal_lint.sh FILE.v..: what may not stand in a file of Coq, silent when there is none of it.  Comments and strings do
# not count.  Refused: whatever leaves a proof open or assumes something for good (a Variable or Hypothesis is fine inside a
# section, where it becomes a premise), switches a check of the kernel off, or changes what a name means to the reader.
set -eu
[ $# -gt 0 ] || { echo "formal_lint.sh FILE.v.." >&2; exit 2; }
awk '
    # the text without comments, which nest, and without what stands between quotes
    function code(line,    out, two, one) {
        out = ""
        while (line != "") {
            two = substr(line, 1, 2); one = substr(line, 1, 1)
            if (quoted) {
                if (one == "\"") quoted = 0
                line = substr(line, 2)
            } else if (two == "(*") {
                depth++; line = substr(line, 3)
            } else if (depth && two == "*)") {
                depth--; line = substr(line, 3); out = out " "
            } else {
                if (one == "\"") quoted = 1
                else if (!depth) out = out one
                line = substr(line, 2)
            }
        }
        return out
    }
    function refuse(what) { print file ":" at ": " what " may not stand in a file of Coq"; bad = 1 }
    # one sentence, which began in line `at`
    function judge(s,    n, w, k, first, word) {
        gsub(/[^A-Za-z0-9_#\[\]:=]+/, " ", s); gsub(/\]/, "] ", s); gsub(/  +/, " ", s); sub(/^ /, "", s); sub(/ $/, "", s)
        n = split(s, w, " "); first = 1
        while (w[first] ~ /^(Local|Global|Polymorphic|Monomorphic|Program|Time|Timeout|Fail|#\[.*)$/ || w[first] ~ /^[0-9]+$/ ||
               (first > 1 && w[first - 1] ~ /^#\[/ && w[first - 1] !~ /\]/)) { if (++first > n) break }
        word = w[first]
        if (word == "Section") stack[++open] = "S"
        else if (word == "Module" && w[first + 1] == "Type") refuse("Module Type")
        else if (word == "Module" && s !~ /:=/) stack[++open] = "M"
        else if (word == "End" && open) open--
        for (k = open; k > 0 && stack[k] != "S"; k--) ;
        if (word ~ /^(Variables?|Hypothes[ie]s|Context)$/ && !k) refuse(word " outside a section")
        for (k = 1; k <= n; k++) if (w[k] in never) refuse(w[k])
        if (s ~ /bypass_check/) refuse("bypass_check")
        if (word == "Notation" && w[first + 1] ~ /^(:=)?$/) refuse("a notation with symbols of its own")
    }
    BEGIN {
        split("Admitted admit give_up Admit Axiom Axioms Parameter Parameters Conjecture Conjectures Abort AbortAll Declare " \
              "Checking Primitive Register Extract Load Drop Redirect Cd Undo Reset Restart native_compute native_cast_no_check " \
              "Definitional Symbol Symbols Rewrite Infix Reserved Coercion LoadPath", list, " ")
        for (k in list) never[list[k]] = 1
    }
    FNR == 1 { finish() ; file = FILENAME; depth = quoted = open = 0; sentence = "" }
    { line = code($0) " "
      while (match(line, /\.[ \t]/)) {
          if (sentence == "") at = FNR
          judge(sentence substr(line, 1, RSTART - 1)); sentence = ""
          line = substr(line, RSTART + 1)
      }
      if (line !~ /^[ \t]*$/) { if (sentence == "") at = FNR; sentence = sentence line } }
    function finish() {
        if (file == "") return
        if (sentence != "") judge(sentence)
        if (depth) { at = "end"; refuse("an open comment") }
        if (quoted) { at = "end"; refuse("an open quotation") }
        if (open) { at = "end"; refuse("an open section") }
    }
    END { finish(); exit bad }' "$@"
# a comment that a program reads is one line, however long
bad=$(grep -nE "$(printf '\t')|[[:blank:]]\$|.{121,}" /dev/null "$@" | grep -v '^[^:]*:[0-9]*:(\* \(Provably\|Needed\): ' || true)
[ -z "$bad" ] || { echo "$bad" | head -n 20; echo "formal_lint: lines over 120 columns, tabs or trailing blanks"; exit 1; }
bad=$(awk '/^\(\* Provably: / { sub(/.*quantifiers=/, ""); sub(/ \*\)$/, ""); if (length > 159) print FILENAME ":" FNR }' "$@")
[ -z "$bad" ] || { echo "$bad"; echo "formal_lint: quantifiers of more than 159 characters, which formal.csv does not take"; exit 1; }
