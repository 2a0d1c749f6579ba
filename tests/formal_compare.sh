#!/bin/sh
# Do proofcheck and the checkers that are proved right agree?  formal_compare.sh BUILD ROUNDS SEED: on every certificate
# in BUILD/certificates, and on ROUNDS altered ones: in a random line one word is
# another, is left out or stands twice, or the line is.  The checkers are those of src/formal as an OCaml program.  Exit
# status 1 where they differ; the file that they differ about stays in BUILD/formal/compare.
set -eu
B=$1 rounds=$2 seed=$3
at=$B/formal/compare
rm -rf "$at" && mkdir -p "$at/altered"
cp tests/formal_accepts.v tests/formal_accepts.ml "$at"
(cd "$at" && coqc -q -w none -Q ../Provably Provably formal_accepts.v &&
    ocamlfind ocamlopt -w -a accepts.mli accepts.ml formal_accepts.ml -o accepts) > "$at/build.log" 2>&1 ||
    { cat "$at/build.log" >&2; exit 2; }
find "$B/certificates" -name "*.cert" | LC_ALL=C sort > "$at/list"
[ -s "$at/list" ] || { echo "make formal-compare: no certificates in $B/certificates: make certificates" >&2; exit 2; }
find $(cat "$at/list") -size -9k | LC_ALL=C sort | awk -v rounds="$rounds" -v seed="$seed" -v to="$at/altered" '
    function any(n) { return 1 + int(rand() * n) }
    function other(word) {
        if (word ~ /^-?[0-9]+$/) return word + any(5) - 3
        if (word ~ /^-?[0-9]+\/[0-9]+$/) { sub(/[0-9]+$/, any(64), word); return word }
        return any(10) == 1 ? word "x" : new[any(news)]
    }
    BEGIN {
        news = split("d n d_k 1 sum transpose product + * - = != < <= inverse orthogonal half-odd stochastic 01 -0 1/2", new, " ")
    }
    { name[NR] = $0 }
    END {
        srand(seed)
        for (r = 1; r <= rounds; r++) {
            f = name[any(NR)]; n = 0
            while ((getline l < f) > 0) line[++n] = l
            close(f)
            at = 4 + any(n - 4); words = split(line[at], w, " "); how = any(20); k = any(words)
            if (how == 1) line[at] = line[at] " " w[k]
            else if (how == 2) line[at] = line[at] "\n" line[at]
            else if (how == 3) { for (j = at; j < n; j++) line[j] = line[j + 1]; n-- }
            else {
                if (how == 4) w[k] = ""; else w[k] = other(w[k])
                line[at] = w[1]
                for (j = 2; j <= words; j++) line[at] = line[at] " " w[j]
            }
            out = to "/" r ".cert"
            for (j = 1; j <= n; j++) print line[j] > out
            close(out)
        }
    }'
{ cat "$at/list"; find "$at/altered" -name '*.cert' | LC_ALL=C sort; } > "$at/files"
xargs -n 200 "$B/proofcheck" < "$at/files" 2>&1 | sed 's/^\([^:]*: [a-z]*\).*/\1/' > "$at/proofcheck" || true
(ulimit -s unlimited; xargs -n 200 "$at/accepts" < "$at/files") > "$at/formal"
if ! diff "$at/proofcheck" "$at/formal" > "$at/differences"; then
    head -n 20 "$at/differences" >&2
    echo "make formal-compare: proofcheck and the checker that is proved right differ" >&2; exit 1
fi
echo "proofcheck and the proved checker agree on $(wc -l < "$at/list") certificates and $rounds altered ones," \
     "of which both accept $(grep -c '/altered/.*: accepted' "$at/formal" || true)"
