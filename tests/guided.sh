#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every reader of a file under libFuzzer: `make fuzz-guided`, `make fuzz-long`.
#     guided.sh BUILD short ROUNDS [READER...]      the seeds of each, then ROUNDS executions that are drawn from a fixed number
#     guided.sh BUILD long SECONDS [READER...]      SECONDS for all of them together, from the corpus that earlier calls left in
#                                                   BUILD/corpus; when all readers were run, their figures go to
#                                                   reports/results/fuzz_guided.csv
#     guided.sh sources                             what such figures are made from, as tests/sources.sh has it
# An input that crashes, hangs, leaks or wants more than 512 MB stays in BUILD/found, and the exit status is 1: mend what it
# shows, and keep it as a seed in tests/guided/seeds/READER (bad-... where it must be refused), which t_readers reads.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export LC_ALL=C
here=${0%/*}
sources() {
    sh "$here/sources.sh" src/base src/data src/checkpoint src/claim src/methods/counts src/model src/experiments src/report/collect \
        src/train src/proofcheck tests/readers tests/guided
}
if [ "$1" = sources ]; then sources; exit; fi
. "$here/../src/build/machine.sh"
build=$1 how=$2 much=$3
shift 3
all=$(ls "$here/guided/seeds")
readers=${*:-$all}
piece=20000                             # executions of a process: what is refused leaves memory behind (guided.c)
[ -d /dev/shm ] && [ -z "${TMPDIR:-}" ] && export TMPDIR=/dev/shm
GUIDED=$(mktemp -d)
export GUIDED
work=$(mktemp -d)
trap 'rm -rf "$GUIDED" "$work"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$build/found"
export ASAN_OPTIONS=detect_leaks=1:malloc_context_size=20:quarantine_size_mb=16:allocator_may_return_null=1:handle_abort=1
export UBSAN_OPTIONS=print_stacktrace=1

# One process: READER CORPUS OPTION...; its figures are "$executions $edges".
fuzz() {
    reader=$1 corpus=$2
    shift 2
    program=$build/guided
    [ "$reader" = proofcheck ] && program=$build/guided_proofcheck
    rm -rf "$GUIDED" && mkdir "$GUIDED"
    READER=$reader "$program" "$corpus" "$here/guided/seeds/$reader" -detect_leaks=0 -close_fd_mask=1 -timeout=20 -rss_limit_mb=2500 \
        -malloc_limit_mb=512 -max_len=6000 -print_final_stats=1 -artifact_prefix="$build/found/$reader-" "$@" > "$work/said" 2>&1 || {
        grep -v '^#' "$work/said" | tail -n 60
        echo "guided.sh: $reader: what it was given is in $build/found" >&2
        return 1
    }
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/said")
    edges=$(sed -n 's/^#.* cov: \([0-9]*\) .*/\1/p' "$work/said" | tail -n 1)
}

failed=
if [ "$how" = short ]; then
    for r in $readers; do
        rm -rf "$work/corpus" && mkdir "$work/corpus"
        fuzz "$r" "$work/corpus" -seed=1 -runs="$much" || { failed=yes; continue; }
        printf '%-14s %8d executions %6d edges\n' "$r" "$executions" "$edges"
    done
    [ -z "$failed" ]
    exit
fi

made=$(sources)
each=$((much / $(echo "$readers" | wc -w)))
for r in $readers; do
    mkdir -p "$build/corpus/$r"
    begun=$(date +%s) sum=0
    while left=$((begun + each - $(date +%s))) && [ "$left" -gt 0 ]; do
        fuzz "$r" "$build/corpus/$r" -runs=$piece -max_total_time=$left || { failed=yes; break; }
        sum=$((sum + executions))
    done
    echo "$r,$sum,$edges,$(find "$build/corpus/$r" -type f | wc -l)" >> "$work/rows"
    printf '%-14s %9d executions %6d edges\n' "$r" "$sum" "$edges"
done
[ -z "$failed" ] || exit 1
if [ "$readers" = "$all" ]; then
    out=reports/results/fuzz_guided.csv
    {
        echo "date,commit,sources,hardware,compiler,seconds,reader,executions,edges,corpus"
        sed "s|^|$(date +%F),$(sh "$here/../src/build/commit.sh"),$made,$hardware,\"$(clang --version | head -n 1)\",$each,|" "$work/rows"
    } > "$out.part"
    mv "$out.part" "$out"
    echo "Recorded in $out"
fi
