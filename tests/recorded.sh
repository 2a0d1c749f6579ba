#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether recorded figures of the tests are of the sources that are here: reports/results/coverage.csv and fuzz_guided.csv.
#     recorded.sh [FOLDER]          reports/results
# Both take hours, so they are made anew by `make nightly`, not for each commit: what is of other sources, or missing, is said,
# and is no failure.  A room of tests/coverage.floors whose recorded share of branches is below its floor, or that has no
# record, is one: exit status 1.
set -eu
unset CDPATH
export LC_ALL=C
here=${0%/*} folder=${1:-reports/results}
bad=0
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
stale() { echo "recorded: $1 are of $2, and the sources have changed since: make nightly"; }

if [ -f "$folder/fuzz_guided.csv" ]; then
    made=$(awk -F, 'NR == 2 { print $3 }' "$folder/fuzz_guided.csv") when=$(awk -F, 'NR == 2 { print $1 }' "$folder/fuzz_guided.csv")
    [ "$made" = "$(sh "$here/guided.sh" sources)" ] || stale "the figures of libFuzzer" "$when"
else
    echo "recorded: $folder/fuzz_guided.csv is missing: make fuzz-long"
fi

# The columns from the end, since a compiler's name may hold commas.
if [ -f "$folder/coverage.csv" ]; then
    awk -F, 'NR > 1 { print $1, $(NF - 5), $(NF - 4), $(NF - 1), $NF }' "$folder/coverage.csv" > "$rows"
else
    echo "recorded: $folder/coverage.csv is missing: make coverage"
fi
while read -r when room made _ _; do
    [ "$made" = "$(sh "$here/sources.sh" "$room")" ] || stale "the branches of $room" "$when"
done < "$rows"
while read -r room floor; do
    case $room in \#*|'') continue ;; esac
    share=$(awk -v room="$room" -v floor="$floor" '$2 == room { print $5 " of " $4 (100 * $5 >= floor * $4 ? "" : " !") }' "$rows")
    case $share in
    '')  echo "recorded: no row of $room in $folder/coverage.csv: make coverage"; bad=1 ;;
    *!)  echo "recorded: ${share% !} branches of $room are taken, less than $floor %"; bad=1 ;;
    esac
done < "$here/coverage.floors"
exit $bad
