#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The figures of build/tests/b_numerics, printed and recorded.
#     bench_numerics.sh BUILD FOLDER
# In FOLDER/bench_numerics_KIND.csv, one file per kind of machine (machine.sh): avx512_ifma, avx512, avx2 or other.  A line
# is one row of its tables: ours and the library's own in the unit of the table, as the best of some repetitions, how many
# times ours the library takes, and the machine's limit, measured in the same run, where one is known (limits.h); first by one thread, then by as many as OMP_NUM_THREADS says, or the machine has.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export LC_ALL=C
build=$1 folder=$2
unset OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS
. "${0%/*}/machine.sh"
kind=$(machine_kind avx2 avx512f avx512ifma)
out=$folder/bench_numerics_$kind.csv
mkdir -p "$folder"
printed=$(mktemp)
trap 'rm -f "$printed" "$printed.one" "$out.part"' EXIT
trap 'exit 130' INT TERM
load=$(cut -d ' ' -f 1 /proc/loadavg)
all=${OMP_NUM_THREADS:-$(getconf _NPROCESSORS_ONLN)}
for threads in $(printf '%s\n' 1 "$all" | sort -nu); do
    OMP_NUM_THREADS=$threads "$build/tests/b_numerics" > "$printed.one" || {
        echo "bench_numerics.sh: b_numerics failed; nothing was recorded" >&2
        exit 1
    }
    cat "$printed.one"
    cat "$printed.one" >> "$printed"
done
{
    echo "date,commit,hardware,features,blas,threads,load,what,size,unit,ours,library,library_over_ours,limit"
    awk -v date="$(date +%F)" -v commit="$(git describe --always --dirty 2>/dev/null || echo unknown)" -v load="$load" \
        -v hardware="$hardware" -v features="$kind" '
        function quoted(text) { return text ~ /[,"]/ ? "\"" text "\"" : text }
        /^OpenBLAS core / { blas = $3; sub(/,$/, "", blas); threads = $4; next }
        { name = substr($0, 1, 12); sub(/ +$/, "", name); n = split(substr($0, 13), f, " ") }
        f[1] !~ /^[0-9]+$/ { unit = f[2]; next }                        # the head of a table
        { print date "," commit "," quoted(hardware) "," features "," blas "," threads "," load "," quoted(name) "," \
                f[1] "," unit "," f[2] "," (n > 3 ? f[3] "," sprintf("%.2f", f[3] / f[2]) : ",") "," (n > 5 ? f[5] : "") }' "$printed"
} > "$out.part"
[ "$(wc -l < "$out.part")" -gt 1 ] || { echo "bench_numerics.sh: no figures in what b_numerics printed" >&2; exit 1; }
mv "$out.part" "$out"
echo "Recorded in $out"
