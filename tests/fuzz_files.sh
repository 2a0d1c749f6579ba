#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Damaged checkpoints in pieces of 100,000 executions, until there are as many as asked for; recorded.
#     fuzz_files.sh BUILD FOLDER EXECUTIONS
# BUILD/fuzz_files.csv has a line for each piece that ended well; after a change of what is fuzzed it begins anew.  When all
# are done, FOLDER/fuzz_files.csv has their sum.  An execution depends on its number alone (tests/t_inspect.c,
# no_bytes_hurt): FUZZ_FROM=number FUZZ_ROUNDS=1 does it again.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export LC_ALL=C
. "${0%/*}/../src/build/machine.sh"
build=$1 folder=$2 all=$3 piece=100000
kept=$build/fuzz_files.csv out=$folder/fuzz_files.csv
fuzzed="src/base src/data src/checkpoint src/train/checkpoint.c src/train/gpt.c tests/support tests/t_inspect.c"
# shellcheck disable=SC2086
commit=$(git log -1 --format=%h -- $fuzzed)$(git diff --quiet HEAD -- $fuzzed || echo -dirty)    # the last that changed it
said=$(mktemp)
mkdir -p "$folder"
trap 'rm -f "$said" "$out.part"' EXIT
trap 'exit 130' INT TERM
if ! grep -q "^$commit," "$kept" 2>/dev/null; then : > "$kept"; fi
if [ -d /dev/shm ] && [ -z "${TMPDIR:-}" ]; then export TMPDIR=/dev/shm; fi
export ASAN_OPTIONS=detect_leaks=0:malloc_context_size=1:quarantine_size_mb=16    # refusals leave memory behind: fuzz.h
while
    from=$(awk -F, '{ n += $3 } END { print n + 0 }' "$kept")
    [ "$from" -lt "$all" ]
do
    n=$((all - from < piece ? all - from : piece))
    CK_RUN_CASE='any bytes' FUZZ_FROM=$from FUZZ_ROUNDS=$n "$build/tests/fuzz_files" > "$said" 2>&1 || {
        cat "$said"
        echo "fuzz_files.sh: an execution from $from on failed; correct what it found and commit: then all are done again" >&2
        exit 1
    }
    taken=$(sed -n 's/^fuzz: .* \([0-9]*\) models taken$/\1/p' "$said")
    [ "$taken" ] || { cat "$said"; echo "fuzz_files.sh: the program did not say how many were taken" >&2; exit 1; }
    echo "$commit,$from,$n,$taken" >> "$kept"
    echo "$((from + n)) of $all executions, none failed"
done
{
    echo "date,commit,hardware,compiler,sanitizers,formats,executions,taken,failures"
    awk -F, -v date="$(date +%F)" -v hardware="$hardware" \
        -v compiler="$(${CC:-cc} --version | head -n 1)" '
        { n += $3; taken += $4; commit = $1 }
        END { print date "," commit "," hardware ",\"" compiler "\",address undefined,\
safetensors config.json index GGUF llama2.c llm.c runs," n "," taken ",0" }' "$kept"
} > "$out.part"
mv "$out.part" "$out"
echo "Recorded in $out"
