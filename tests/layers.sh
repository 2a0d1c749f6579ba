#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# layers.sh [BUILD]: the order of the rooms in src/LAYERS, silent when it is kept.
#   A file includes files of its own room or of rooms above it in that list; src/proofcheck includes only itself, and
#   nothing else includes it.  A file belongs to the longest line that begins its path.
#   With BUILD, what the objects there use: no circle of more than 3 files, and none of rooms.
set -eu
B=${1:-} bad=0 here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ grep -v '^#' src/LAYERS; echo src/proofcheck; } > "$work/rooms"
room='
    FILENAME == ARGV[1] { level[$1] = ++rooms; next }
    function room(file,    best, line) {
        for (line in level) if (index(file, line "/") == 1 && length(line) > length(best)) best = line
        return best
    }'

# bench_llmc.c is compiled beside llm.c's sources, which it includes.
find src numerics cuda theorems tests ! -name bench_llmc.c \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cc' \) \
    -exec grep -H '^ *# *include *"' {} + | sed 's/: *# *include *"/ /; s/".*//' > "$work/includes"
awk "$room"'
    { from = room($1); to = room($2) }
    from == "" || to == "" { print $1 " includes " $2 ": not in src/LAYERS"; bad = 1; next }
    from == to { next }
    from == "src/proofcheck" || to == "src/proofcheck" { print $1 " includes " $2 ": proofcheck shares nothing"; bad = 1; next }
    level[to] > level[from] { print $1 " includes " $2 ": " to " is a higher room than " from; bad = 1 }
    END { exit bad }' "$work/rooms" "$work/includes" || bad=1

[ -n "$B" ] || exit $bad
find src numerics -name '*.c' ! -path '*/proofcheck/*' | while read -r f; do
    [ ! -f "$B/${f%.c}.o" ] || echo "$B/${f%.c}.o"
done | xargs nm -gA |
    sed "s|^$B/||" | sed 's/\.o:[0-9a-f]* */ /' > "$work/symbols"                # FILE KIND SYMBOL
awk 'NR == FNR { if ($2 !~ /[UwvWV]/) home[$3] = $1; next }
     $2 ~ /[UwvWV]/ && $3 in home && home[$3] != $1 { print $1, home[$3] }' "$work/symbols" "$work/symbols" |
    sort -u > "$work/uses"
awk "$room"' { a = room($1); b = room($2); if (a != b) print a, b }' "$work/rooms" "$work/uses" | sort -u > "$work/room_uses"
awk -v what=files -v most=3 -f "$here/circles.awk" "$work/uses" || bad=1
awk -v what=rooms -v most=1 -f "$here/circles.awk" "$work/room_uses" || bad=1
exit $bad
