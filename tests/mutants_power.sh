#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How the list of deliberate breaks compares with what is made from the language (tests/mutate.c): for each line of
# *mutants.txt the statement that it changes, and what is generated there.
#   mutants_power.sh BUILD                    counts by room; BUILD/mutants_power.tsv: CLASS NUMBER FILE LINE-OF-THE-LIST
#   mutants_power.sh BUILD compare N [SEED [ROOMS]]   besides, N listed breaks of class `statement` are tried, and up to 3 generated
#                                             changes of the same statement of each against the very test that catches it;
#                                             resumable; BUILD/mutants_compared.tsv: LIST:LINE SAME|OTHER TEST
#   mutants_power.sh BUILD prune              removes the lines of class `identical`, and those that `compare` found SAME,
#                                             but no line that tests/mutants.argued speaks of
# CLASS: `identical`: a generated change makes the same program; `statement`: there are NUMBER others of the statement;
# `none`: there is none; `text`: no C source that is compiled here.
set -u
unset CDPATH
B=$1 action=${2:-} number=${3:-0} seed=${4:-1} chosen_rooms=${5:-all}
work=$B/mutants_power tab=$(printf '\t')
lists='tests/mutants.txt tests/forward/mutants.txt'
key=$({ cat $lists "$B/tests/mutate"; sh tests/rooms.sh; sh tests/rooms.sh | cut -f1 | xargs cat; } | sha256sum)

# Each line of the lists, its number, and under that number the broken file.
classify() {
    rm -rf "$work"; mkdir -p "$work" || exit 2
    sh tests/rooms.sh > "$work/rooms"
    awk -F'|' '/^#/ || /^$/ { next } { f = $1; sub(/^[^|]*\|/, ""); print ++n "\t" FILENAME ":" FNR "\t" f "\t" $0 }' $lists > "$work/listed"
    awk -F'\t' 'NR == FNR { room[$1]; next } $3 in room' "$work/rooms" "$work/listed" > "$work/sources"
    while IFS="$tab" read -r k at file expression; do
        sed "$expression" "$file" > "$work/$k" && echo "$file$tab$work/$k"
    done < "$work/sources" | sort > "$work/pairs"
    "$B/tests/mutate" --compare < "$work/pairs" > "$work/compared" || exit 2
    awk -F'\t' 'FILENAME ~ /compared$/ { k = $3; sub(/.*\//, "", k); class[k] = $1 "\t" $2; next }
                { print ($1 in class ? class[$1] : "text\t0") "\t" $3 "\t" $2 "\t" $1 }' "$work/compared" "$work/listed" > "$work/classes"
    mv "$work/classes" "$B/mutants_power.tsv"
    echo "$key" > "$work/key"
}
[ "$(cat "$work/key" 2>/dev/null)" = "$key" ] || classify
awk -F'\t' -v OFS='\t' '
    NR == FNR { room[$1] = $2; next }
    { r = $3 in room ? room[$3] : "scripts, documents, data"; n[r, $1]++; n[r]++; rooms[r]; n["all", $1]++; n["all"]++ }
    function row(r) { return sprintf("%-26s %7d %10d %10d %7d %7d", r, n[r], n[r, "identical"], n[r, "statement"], n[r, "none"], n[r, "text"]) (n[r, "void"] ? "  void: " n[r, "void"] : "") }
    END { printf "%-26s %7s %10s %10s %7s %7s\n", "room", "listed", "identical", "statement", "none", "text"
          for (r in rooms) print row(r) | "sort"
          close("sort"); print row("all") }' "$work/rooms" "$B/mutants_power.tsv"

# Breaks that survive are no failure here; a run without a report is one, and no report of an earlier run is read.
judge() {
    rm -f "$B/mutants.csv"
    MUTANTS_LINES=$1 sh tests/mutants.sh "$B"
    [ -s "$B/mutants.csv" ] || { echo "mutants_power: tests/mutants.sh ended without $B/mutants.csv" >&2; exit 2; }
}

compare() {
    touch "$B/mutants_compared.tsv"
    awk -F'\t' -v rooms="$chosen_rooms" '
        FILENAME ~ /compared/ { done[$1]; next }
        FILENAME ~ /rooms$/   { room[$1] = $2; next }
        $1 == "statement" && !($4 in done) && (rooms == "all" || index(" " rooms " ", " " room[$3] " ")) { print $4 }' \
        "$B/mutants_compared.tsv" "$work/rooms" "$B/mutants_power.tsv" |
        awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -g | head -n "$number" | cut -f2 > "$work/sample"
    awk -F'\t' 'NR == FNR { in_sample[$1]; next } $2 in in_sample { print "sed\t" $3 "\t0\t0\t0\t" $4 }' "$work/sample" "$work/listed" > "$work/first"
    judge "$work/first"
    # NUMBER <tab> LIST:LINE <tab> the test that caught it <tab> FILE, of those that were caught
    awk -F'\t' 'FILENAME ~ /csv$/ { if ($1 == "killed" && $6 == "sed" && $7 ~ /^(tests|theorems)\//) by[$2, substr($4, 5)] = $7; next }
                ($3, $4) in by { print $1 "\t" $2 "\t" by[$3, $4] "\t" $3 }' "$B/mutants.csv" "$work/listed" > "$work/caught"
    awk -F'\t' 'NR == FNR { in_sample[$1]; next } $2 in in_sample' "$work/sample" "$work/caught" > "$work/tests"
    awk -F'\t' -v work="$work" '{ print $4 "\t" work "/" $1 }' "$work/tests" | sort | "$B/tests/mutate" --strikes |
        awk -F'\t' -v seed="$seed" 'BEGIN { srand(seed) } { print $7 "\t" rand() "\t" $0 }' | sort -t "$tab" -k1,1 -k2,2g |
        awk -F'\t' '++n[$1] <= 3' | cut -f3- |
        awk -F'\t' 'NR == FNR { test[$1] = $3; next }
                    { k = $7; sub(/.*\//, "", k); print $1 "\t" $2 "\t" $3 "\t" $4 "\t" $5 "\t" $6 "\t" test[k] "\t" k }' "$work/tests" - > "$work/struck"
    cut -f1-7 "$work/struck" > "$work/second"
    [ ! -s "$work/second" ] || judge "$work/second" > /dev/null
    awk -F'\t' '
        FILENAME ~ /csv$/    { if ($1 == "killed" && $6 ~ /^lang/) killed[$2, $3, $5, $6, $7]; next }
        FILENAME ~ /struck$/ { if (($2, $3, $6, $1, $7) in killed) same[$8]; next }
        { print $2 "\t" ($1 in same ? "SAME" : "OTHER") "\t" $3 }' "$B/mutants.csv" "$work/struck" "$work/tests" >> "$B/mutants_compared.tsv"
    sort -u -o "$B/mutants_compared.tsv" "$B/mutants_compared.tsv"
    awk -F'\t' '{ n++; same += $2 == "SAME" } END { printf "compared so far: %d, of %d a generated change of the statement is caught by the same test\n", n, same }' \
        "$B/mutants_compared.tsv"
}

prune() {
    touch "$B/mutants_compared.tsv"
    for list in $lists; do
        awk -v list="$list" '
            FILENAME ~ /power.tsv$/    { split($0, f, "\t"); if (f[1] == "identical") gone[f[4]]; next }
            FILENAME ~ /compared.tsv$/ { split($0, f, "\t"); if (f[2] == "SAME") gone[f[1]]; next }
            FILENAME ~ /argued$/       { split($0, f, "\t"); if (sub(/^sed /, "", f[2])) argued[f[1] "|" f[2]]; next }
            $0 in argued || !((list ":" FNR) in gone)' "$B/mutants_power.tsv" "$B/mutants_compared.tsv" tests/mutants.argued "$list" > "$work/list" && cp "$work/list" "$list" || exit 2
    done
    rm -f "$B/mutants_compared.tsv"                 # its lines have other numbers now
}

case $action in
'') ;;
compare) compare ;;
prune) prune; echo "listed: $(cat $lists | grep -vc '^#')" ;;
*) echo "mutants_power: $action: compare N [SEED], or prune" >&2; exit 2 ;;
esac
