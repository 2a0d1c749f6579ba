#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines and branches of each room that the tests of the suite take: `make coverage`.
#     coverage.sh BUILD FOLDER [TEST...]     BUILD was compiled for it; FOLDER: where coverage.csv goes when no TEST is named
# A room is a folder of src, or numerics.  Not run are tests that take files, memory or calls away from what they start, or
# kill it: it could not write its counters.  A test that fails is named, and nothing is recorded.
# It takes hours: a test that has passed is not run again while the sources are the same.  LIMIT=SECONDS: none begins after
# them; what is recorded then says of how many tests it is.  Each test that runs adds branches, so that a share is never too
# high.  JOBS=N run side by side.
# In coverage.csv `sources` is tests/sources.sh of the room, so that tests/recorded.sh can say which figures are of other
# sources than those that are here; `tests` is "run of all".
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GCOV_PREFIX GCOV_PREFIX_STRIP
export LC_ALL=C
here=${0%/*}
. "$here/../src/build/machine.sh"
build=$1 folder=$2 gcov=${GCOV:-gcov}
shift 2
without="t_calls t_faults t_install_faults t_limits t_memory t_oom t_power t_signals"
all=$(for f in tests/t_*.c; do t=$(basename "$f" .c); case " $without " in *" $t "*) ;; *) echo "$t" ;; esac; done)
tests=${*:-$all}
rooms="$(ls -d src/*/ | sed 's|/$||') numerics"
command -v "$gcov" >/dev/null || { echo "coverage: gcov is missing; it comes with gcc" >&2; exit 2; }
mkdir -p "$build/log" "$build/passed"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
made=$(sh "$here/sources.sh" $rooms)
if [ "$(cat "$build/passed/sources" 2>/dev/null)" != "$made" ] || [ $# -gt 0 ]; then
    find "$build" -name '*.gcda' -delete
    rm -f "$build"/passed/*
    [ $# -gt 0 ] || echo "$made" > "$build/passed/sources"
fi
export BUILD="$build" GCOV_ERROR_FILE=/dev/null
ends=$(($(date +%s) + ${LIMIT:-1000000}))
one='[ "$(date +%s)" -lt "$1" ] || exit 0
if timeout -k 10 3600 "$BUILD/tests/$2" > "$BUILD/log/$2" 2>&1 </dev/null; then : > "$BUILD/passed/$2"; else echo "$2" >> "$0"; fi'
for t in $tests; do [ -e "$build/passed/$t" ] || echo "$t"; done | xargs -P "${JOBS:-1}" -n 1 sh -c "$one" "$work/failed" "$ends"
failed=$(cat "$work/failed" 2>/dev/null || :)
for t in $failed; do tail -n 5 "$build/log/$t"; done
run=$(for t in $tests; do [ ! -e "$build/passed/$t" ] || echo "$t"; done | wc -l)

# "File 'src/base/csv.c'", "Lines executed:96.00% of 123", "Taken at least once:85.00% of 40"
for room in $rooms; do
    find "$build/$room" -name '*.gcno' ! -name '*.f64.gcno' 2>/dev/null | sort > "$work/notes"
    [ -s "$work/notes" ] || continue
    xargs "$gcov" -n -b < "$work/notes" 2>/dev/null | awk -v room="$room" '
        /^File / { in_room = index($0, "\047" room "/") && /\.c\047$/ }
        in_room && /^Lines executed:/ { sub(/.*:/, ""); split($0, p, "% of "); lines += p[2]; run += int(p[1] * p[2] / 100 + 0.5) }
        in_room && /^Taken at least once:/ { sub(/.*:/, ""); split($0, p, "% of "); branches += p[2]; taken += int(p[1] * p[2] / 100 + 0.5) }
        END { if (lines) printf "%s,%d,%d,%d,%d\n", room, lines, run, branches, taken }'
done > "$work/rows"
printf '%-18s %9s %7s %9s %7s\n' '' lines run branches taken
awk -F, '{ printf "%-18s %9d %6.1f%% %9d %6.1f%%\n", $1, $2, 100 * $3 / $2, $4, $4 ? 100 * $5 / $4 : 100 }' "$work/rows"
[ -z "$failed" ] || { echo "coverage: these tests failed, see $build/log:" $failed >&2; exit 1; }
[ $# -eq 0 ] || exit 0
out=$folder/coverage.csv
{
    echo "date,commit,hardware,compiler,tests,room,sources,lines,lines_run,branches,branches_taken"
    while IFS=, read -r room figures; do
        echo "$(date +%F),$(sh src/build/commit.sh),$hardware,\"$(${CC:-cc} --version | head -n 1)\",$run of $(echo "$tests" | wc -w),$room,$(sh "$here/sources.sh" "$room"),$figures"
    done < "$work/rows"
} > "$out.part"
mv "$out.part" "$out"
echo "Recorded in $out"
