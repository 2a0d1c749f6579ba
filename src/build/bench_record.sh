# SPDX-License-Identifier: GPL-3.0-or-later
# bench_record.sh - how a script records what one program prints.  Scripts read it: . "${0%/*}/bench_record.sh"
#   measure BUILD FOLDER NAME ARGUMENT...   runs BUILD/tests/b_NAME and prints its figures, which are in $printed then; $load is
#                                           the machine's load before it.  Where it fails nothing is recorded.
#   record                                  $out.part becomes FOLDER/bench_NAME.csv, if it has more than its header
measure() {
    build=$1 name=$3 out=$2/bench_$3.csv
    mkdir -p "$2"
    shift 3
    printed=$(mktemp)
    trap 'rm -f "$printed" "$out.part"' EXIT
    trap 'exit 130' INT TERM
    load=$(cut -d ' ' -f 1 /proc/loadavg)
    "$build/tests/b_$name" "$@" > "$printed" || {
        cat "$printed"
        echo "bench_$name.sh: b_$name failed; nothing was recorded" >&2
        exit 1
    }
    cat "$printed"
}

record() {
    [ "$(wc -l < "$out.part")" -gt 1 ] || { echo "bench_$name.sh: no figures in what b_$name printed" >&2; exit 1; }
    mv "$out.part" "$out"
    echo "Recorded in $out"
}
