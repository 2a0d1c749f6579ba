#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Training steps of ours beside other programs': the same model, machine and number of threads, turn by turn in one run.
#     bench_peers.sh BUILD PEER FOLDER     PEER: a checkout of llm.c, a python that has torch, or both, with a comma
# Prints tokens (images) per second (medians over all turns) and ratios, and records them with the peers' versions in
# FOLDER/bench_peers_KIND.csv, one file per kind of machine (machine.sh): avx2, avx512, avx512_bf16 or amx.
# THREADS (all), ROUNDS (3), STEPS (3) and MODELS (all), a pattern of their names, choose less.  With ISA=avx2 all programs
# keep to AVX2 (BUILD is that of `make ISA=avx2`), and KIND begins with avx2_on_.
set -eu
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
build=$1 peers=$2 folder=$3
. "${0%/*}/machine.sh"
out=$folder/bench_peers_$(machine_kind avx2 avx512f avx512_bf16 amx_bf16).csv
unset OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS || true
arch=native
if [ "${ISA:-}" = avx2 ]; then
    arch=haswell out=${out%/*}/bench_peers_avx2_on_${out##*/bench_peers_}
    hardware="$hardware, held to AVX2"
    export OPENBLAS_CORETYPE=Haswell PROVABLY_BLAS_CORE=Haswell          # ours
    export ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2 MKL_ENABLE_INSTRUCTIONS=AVX2      # PyTorch and its libraries
fi
OMP_NUM_THREADS=${THREADS:-$(nproc)}
export OMP_NUM_THREADS
rounds=${ROUNDS:-3} steps=${STEPS:-3}
for p in b_gpt b_vit; do
    [ -x "$build/tests/$p" ] || { echo "bench: there is no $build/tests/$p: \`make $build/tests/$p\` builds it" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

llmc= python=
for p in $(echo "$peers" | tr , ' '); do
    if [ -f "$p/train_gpt2.c" ]; then
        llmc=$p
    elif [ -f "$p" ] && [ -x "$p" ] && "$p" -c 'import torch' 2>/dev/null; then
        python=$p
    else
        echo "bench: $p is neither a checkout of llm.c nor a python that has torch" >&2
        exit 2
    fi
done
: > "$work/versions"
echo "ours git $(git describe --always --dirty 2>/dev/null || echo unknown)" >> "$work/versions"
if [ -n "$llmc" ]; then
    gcc -Ofast -march=$arch -fopenmp -DOMP -w -I "$llmc" tests/reference/bench_llmc.c -lm -o "$work/llmc"
    echo "llm.c git $(git -C "$llmc" rev-parse HEAD), gcc $(gcc -dumpfullversion) -Ofast -march=$arch" >> "$work/versions"
fi
[ -z "$python" ] || "$python" tests/reference/bench_torch.py version >> "$work/versions"

# one turn of one program: its steps' seconds, a line each, after the names of model and program
turn() {
    name=$1 program=$2
    shift 2
    if ! "$@" > "$work/turn" 2> "$work/output"; then
        echo "bench: $program on $name failed: $(tail -n 1 "$work/output")" >&2
        [ "$program" != ours ] || exit 2       # nothing to compare with
        return 0
    fi
    sed -n "s/^[0-9.]*\$/$name,$program,&/p" "$work/turn" >> "$work/seconds"      # peers talk, too
}
: > "$work/seconds"
# name, units of a step; gpt L d h T V B, or vit ROW MLP MINIMUM BATCH: the sizes of the goals
cat > "$work/all" <<'END'
L4-d128-T128-V256-B12 1536 gpt 4 128 4 128 256 12
L6-d384-T256-V256-B12 3072 gpt 6 384 6 256 256 12
GPT2-124M-T64-B4 256 gpt 12 768 12 64 50304 4
ViT-6-1-mlp-full-B256 256 vit mnist_6_1_mlp_full 256 0 256
ViT-6-1-no-min-B256 256 vit mnist_6_1_no_min 0 1 256
END
grep -e "${MODELS:-.}" "$work/all" > "$work/models"
load=$(cut -d ' ' -f 1 /proc/loadavg)
round=0
while [ $round -lt "$rounds" ]; do
    while read -r name units family size; do
        if [ "$family" = vit ]; then
            row=${size%% *} shape=${size#* }
            turn "$name" ours "$build/tests/b_vit" steps "$row" "$steps"
            [ -z "$python" ] || turn "$name" torch-eager "$python" tests/reference/bench_torch_vit.py eager $shape "$steps"
            [ -z "$python" ] || turn "$name" torch-compile "$python" tests/reference/bench_torch_vit.py compile $shape "$steps"
            continue
        fi
        turn "$name" ours "$build/tests/b_gpt" steps $size "$steps"
        [ -z "$llmc" ] || turn "$name" llm.c "$work/llmc" $size "$steps"
        [ -z "$python" ] || turn "$name" torch-eager "$python" tests/reference/bench_torch.py eager $size "$steps"
        [ -z "$python" ] || turn "$name" torch-compile "$python" tests/reference/bench_torch.py compile $size "$steps"
    done < "$work/models"
    round=$((round + 1))
done

mkdir -p "$folder"
{
    echo "date,model,program,version,hardware,threads,load,rounds,steps,seconds,unit,units_per_second,ours_over_it"
    sort -t , -k 1,1 -k 2,2 -k 3,3g "$work/seconds" | awk -F , -v date="$(date +%F)" -v load="$load" \
        -v hardware="$hardware" -v threads="$OMP_NUM_THREADS" \
        -v rounds="$rounds" -v steps="$steps" '
        function quoted(text) { return text ~ /[,"]/ ? "\"" text "\"" : text }
        FILENAME ~ /versions$/ { split($0, f, " "); version[f[1]] = substr($0, length(f[1]) + 2); next }
        FILENAME ~ /models$/ { split($0, f, " "); units[f[1]] = f[2]; unit[f[1]] = f[3] == "vit" ? "images" : "tokens"; next }
        { key = $1 "," $2; if (!(key in n)) order[++keys] = key; value[key, ++n[key]] = $3 }
        END {
            for (k = 1; k <= keys; k++) {
                key = order[k]; c = n[key]
                median[key] = c % 2 ? value[key, (c + 1) / 2] : (value[key, c / 2] + value[key, c / 2 + 1]) / 2
            }
            for (k = 1; k <= keys; k++) {
                key = order[k]; split(key, f, ","); of = f[2]; sub(/-.*/, "", of)      # torch-eager: torch
                printf "%s,%s,%s,%s,%s,%s,%s,%s,%.4f,%s,%.0f,%.2f\n", date, key, quoted(version[of]), quoted(hardware), \
                    threads, load, rounds, steps, median[key], unit[f[1]], units[f[1]] / median[key], \
                    median[key] / median[f[1] ",ours"]
            }
        }' "$work/versions" "$work/models" -
} > "$out.part"
mv "$out.part" "$out"
awk -F , '{ sub(/"[^"]*"/, "-"); print $2 "," $3 "," $10 "," $12 "," $13 }' "$out" | column -s , -t 2>/dev/null || cat "$out"
