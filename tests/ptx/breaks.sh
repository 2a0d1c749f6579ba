#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# breaks.sh [B]     Breaks the lines of the kernels that only nvcc compiles, one after the other (breaks.txt: FILE|SED EXPRESSION),
#                   and sees the interpreter's tests fail; each file must pass them unbroken, or they judge nothing.
#                   Needs nvcc and `make build/tests/t_ptx build/all.libs`.    (ONLY=pattern)
# Verdicts are kept in B/ptx/breaks, and the next call resumes, as long as the kernels and the interpreter are the same.
set -u
B=${1:-build} open=0 tried=0 killed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sources=$(cat cuda/* src/train/formula.h tests/ptx/*.[ch] tests/ptx/judge.sh cuda/kernels.txt | sha256sum | cut -c1-16)
kept=$B/ptx/breaks/$sources
mkdir -p "$B/ptx/breaks" && touch "$kept"
shows='BAD.*|\([a-z][^()]*line [0-9]+ of the PTX|off by.*|faults: .*|counts: WRONG'

judge() {                                # FILE SED EXPRESSION: a verdict in one line
    rm -rf "$folder/cuda" "$folder/src"
    cp -r cuda "$folder/cuda"
    mkdir -p "$folder/src/train" && cp src/train/formula.h "$folder/src/train"
    sed "$2" "$1" > "$folder/$1"
    if [ "$2" ] && cmp -s "$1" "$folder/$1"; then echo 'changes nothing'; return; fi
    sh tests/ptx/judge.sh "$B" "$folder" "$1"
    case $? in
    0) echo "killed: $(grep -aohE "$shows" "$folder/said" | head -n 1 | cut -c1-110)" ;;
    1) echo SURVIVED ;;
    2) echo 'did not compile' ;;
    *) echo 'no verdict' ;;
    esac
}
verdict() {                              # likewise, kept
    line="$1|$2: "
    awk -v line="$line" 'index($0, line) == 1 { found = 1 } END { exit !found }' "$kept" || echo "$line$(judge "$1" "$2")" >> "$kept"
    awk -v line="$line" 'index($0, line) == 1 { print substr($0, length(line) + 1); exit }' "$kept"
}
while IFS='|' read -r file edit; do
    case $file in ''|'#'*) continue ;; esac
    case "$file|$edit" in *${ONLY:-}*) ;; *) continue ;; esac
    tried=$((tried + 1))
    if [ "$(verdict "$file" '')" != SURVIVED ]; then result='no verdict: the file does not pass unbroken'
    else result=$(verdict "$file" "$edit"); fi
    case $result in killed:*) killed=$((killed + 1)) ;; *) open=$((open + 1)) ;; esac
    echo "$file|$edit: $result"
done < tests/ptx/breaks.txt
echo "$tried breaks, $killed killed, $open not"
[ "$open" = 0 ]
