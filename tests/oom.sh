#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Out of memory at many allocations of every command (tests/t_oom.c); recorded.
#     oom.sh BUILD FOLDER POINTS
# FOLDER/oom.csv has a line for each command: how many allocations it makes, and at how many of them, once or from then on,
# one was refused.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export LC_ALL=C
. "${0%/*}/../src/build/machine.sh"
build=$1 folder=$2 points=$3
said=$(mktemp) out=$folder/oom.csv
mkdir -p "$folder"
trap 'rm -f "$said" "$out.part"' EXIT
trap 'exit 130' INT TERM
if [ -d /dev/shm ] && [ -z "${TMPDIR:-}" ]; then export TMPDIR=/dev/shm; fi
CK_RUN_CASE=commands BUILD=$build OOM_POINTS=$points OOM_RECORD=$said "$build/tests/t_oom"
{
    echo "date,commit,hardware,command,allocations,refused,failures"
    awk -F'\t' -v date="$(date +%F)" -v commit="$(sh src/build/commit.sh)" -v hardware="$hardware" '
        { gsub(/"/, "\"\"", $1); print date "," commit "," hardware ",\"" $1 "\"," $2 "," $3 ",0" }' "$said"
} > "$out.part"
mv "$out.part" "$out"
echo "Recorded in $out"
