#!/bin/sh
# breaks.sh [B]     Breaks the lines of the kernels that only nvcc compiles, one after the other (breaks.txt: FILE|SED EXPRESSION),
#                   and sees the interpreter's tests fail.  Needs nvcc and `make build/tests/t_ptx build/all.libs`.    (ONLY=pattern)
set -u
B=${1:-build} survived=0 tried=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
while IFS='|' read -r file edit; do
    case $file in ''|'#'*) continue ;; esac
    case "$file|$edit" in *${ONLY:-}*) ;; *) continue ;; esac
    rm -rf "$folder/cuda" "$folder/src"
    cp -r cuda "$folder/cuda"
    mkdir -p "$folder/src/train" && cp src/train/formula.h "$folder/src/train"
    sed "$edit" "$file" > "$folder/$file"
    tried=$((tried + 1))
    if cmp -s "$file" "$folder/$file"; then result='changes nothing' survived=$((survived + 1))
    else
        sh tests/ptx/judge.sh "$B" "$folder" "$file"
        case $? in
        0) result="killed: $(grep -aohE 'BAD.*|\([a-z][^()]*line [0-9]+ of the PTX|off by.*|faults: .*' "$folder/said" | head -n 1 | cut -c1-110)" ;;
        1) result=SURVIVED survived=$((survived + 1)) ;;
        *) result='did not compile' survived=$((survived + 1)) ;;
        esac
    fi
    echo "$file|$edit: $result"
done < tests/ptx/breaks.txt
echo "$tried breaks, $survived not seen"
[ "$survived" = 0 ]
