#!/bin/sh
# breaks.sh [B]     Breaks the lines of the kernels that only nvcc compiles, one after the other (breaks.txt: FILE|SED EXPRESSION),
#                   and sees the interpreter's tests fail.  Needs nvcc and `make build/tests/t_ptx`.    (ONLY=pattern)
set -u
B=${1:-build} nvcc=${NVCC:-/usr/local/cuda/bin/nvcc}
folder=$(mktemp -d) survived=0 tried=0
trap 'rm -rf "$folder"' EXIT
while IFS='|' read -r file edit; do
    case $file in ''|'#'*) continue ;; esac
    case "$file|$edit" in *${ONLY:-}*) ;; *) continue ;; esac
    rm -rf "$folder/cuda" "$folder/src"
    cp -r cuda "$folder/cuda"
    mkdir -p "$folder/src/train" && cp src/train/formula.h "$folder/src/train"
    sed "$edit" "$file" > "$folder/$file"
    if cmp -s "$file" "$folder/$file"; then echo "changes nothing: $file|$edit"; survived=$((survived + 1)); continue; fi
    case $file in
    *warp.h|*attn_flash*) kernels='attn_flash_fwd attn_flash_bwd' judge="env CK_RUN_CASE=kernels $B/ptx/attention" ;;
    */formula.h)          kernels=loss judge=$B/ptx/counts ;;
    *.h)                  kernels=$(cd cuda && ls *.cu | sed 's/\.cu$//') judge="$B/ptx/gpu-check --operations" ;;
    *)                    kernels=$(basename "$file" .cu) judge="$B/ptx/gpu-check --operations" ;;
    esac
    case $file in *attn_flash_*.cu) kernels=$(basename "$file" .cu) ;; esac
    cp "$B/ptx/kernels.ptx" "$folder/all.ptx"
    result=
    for k in $kernels; do                # the kernels of a file replace those of the same names
        (cd "$folder" && "$nvcc" --ptx -std=c++17 -O3 -D_GNU_SOURCE -I. -I"$OLDPWD" -arch=compute_80 "cuda/$k.cu" -o "$k.ptx") \
            > "$folder/log" 2>&1 || { result="did not compile"; break; }
        cat "$folder/$k.ptx" >> "$folder/all.ptx"
    done
    tried=$((tried + 1))
    if [ "$result" ]; then survived=$((survived + 1))
    elif PTX_FILE=$folder/all.ptx timeout -k 5 200 $judge > "$folder/said" 2>&1; then result=SURVIVED survived=$((survived + 1))
    else result="killed: $(grep -aohE 'BAD.*|\([a-z][^()]*line [0-9]+ of the PTX|off by.*|faults: .*' "$folder/said" | head -n 1 | cut -c1-110)"
    fi
    echo "$file|$edit: $result"
done < tests/ptx/breaks.txt
echo "$tried breaks, $survived not seen"
[ "$survived" = 0 ]
