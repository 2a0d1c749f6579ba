#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The figures of build/tests/b_verify on files of Llama's shape, printed and recorded.
#     bench_verify.sh BUILD FOLDER [L d h kv m V ROUNDS [FOLDER]]    (see b_verify.c; PYTHON: one that has numpy)
# In FOLDER/bench_verify.csv: a line is one command, with the fewest seconds that it took, those of all its threads together,
# its own memory and that of mapped files in MB, and its exit status; `ratio` lines have the ratio in place of the seconds.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE OPENBLAS_CORETYPE
unset OMP_NUM_THREADS OPENBLAS_NUM_THREADS       # it runs alone: make's are for programs side by side
export LC_ALL=C
build=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- 12 1024 16 8 2816 32000 3
[ -n "${PYTHON:-}" ] || unset PYTHON
. "${0%/*}/machine.sh"
. "${0%/*}/bench_record.sh"
measure "$build" "$folder" verify "$@"
{
    echo "date,commit,hardware,features,threads,load,layers,d,heads,key_heads,mlp,vocabulary,rounds,\
command,seconds,cpu_seconds,own_mb,mapped_mb,status"
    awk -v date="$(date +%F)" -v commit="$(git describe --always --dirty 2>/dev/null || echo unknown)" -v load="$load" \
        -v threads="${OMP_NUM_THREADS:-$(getconf _NPROCESSORS_ONLN)}" -v shape="$1,$2,$3,$4,$5,$6,$7" \
        -v hardware="$hardware" -v features="$features" '
        function line(command, figures) {
            print date "," commit "," hardware "," features "," threads "," load "," shape "," command "," figures }
        /^ratio: / {
            sub(/^ratio: */, ""); sub(/ *\(aim.*/, ""); value = $NF; sub(/ *[^ ]*$/, "")
            line("ratio " $0, value ",,,,")
            next }
        NF >= 7 && $NF ~ /^[0-9]+$/ && $1 != "L" {
            command = $1
            for (k = 2; k <= NF - 5; k++) command = command " " $k
            line(command, $(NF - 4) "," $(NF - 3) "," $(NF - 2) "," $(NF - 1) "," $NF) }' "$printed"
} > "$out.part"
record
