#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The figures of build/tests/b_reduce on two models of GPT-2-small's shape, printed and recorded.
#     bench_reduce.sh BUILD FOLDER [L d h V T [FOLDER [MODEL]]]      (see b_reduce.c)
# In FOLDER/bench_reduce.csv: a line is one command of `provably`, with the seconds that it took, those of all its
# threads together, its own memory, that of mapped files and the most of both in MB, and its exit status.  It takes 4 GB of
# disk under TMPDIR.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE OPENBLAS_CORETYPE
unset OMP_NUM_THREADS OPENBLAS_NUM_THREADS       # it runs alone: make's are for programs side by side
export LC_ALL=C
build=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- 12 768 12 50257 1024
. "${0%/*}/machine.sh"
. "${0%/*}/bench_record.sh"
measure "$build" "$folder" reduce "$@"
{
    echo "date,commit,hardware,threads,load,layers,d,heads,vocabulary,positions,\
model,command,seconds,cpu_seconds,own_mb,mapped_mb,mb,status"
    awk -v date="$(date +%F)" -v commit="$(git describe --always --dirty 2>/dev/null || echo unknown)" -v load="$load" \
        -v threads="${OMP_NUM_THREADS:-$(getconf _NPROCESSORS_ONLN)}" -v shape="$1,$2,$3,$4,$5" \
        -v hardware="$hardware" '
        $1 != "L" && NF >= 8 && $NF ~ /^[0-9]+$/ {
            command = $2
            for (k = 3; k <= NF - 6; k++) command = command " " $k
            print date "," commit "," hardware "," threads "," load "," shape "," $1 "," command "," $(NF - 5) "," \
                $(NF - 4) "," $(NF - 3) "," $(NF - 2) "," $(NF - 1) "," $NF }' "$printed"
} > "$out.part"
record
