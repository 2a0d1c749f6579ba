#!/bin/sh
# Training steps of ours beside other programs': the same model, machine and number of threads, turn by turn in one run.
#     bench_peers.sh BUILD PEER OUT        PEER: a checkout of llm.c, a python that has torch, or both, with a comma
# Prints tokens per second (medians over all turns) and ratios, and records them in OUT with the peers' versions.
set -eu
build=$1 peers=$2 out=$3
unset OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS || true
OMP_NUM_THREADS=${THREADS:-$(nproc)}
export OMP_NUM_THREADS
rounds=${ROUNDS:-3} steps=${STEPS:-3}
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
    gcc -Ofast -march=native -fopenmp -DOMP -w -I "$llmc" tests/reference/bench_llmc.c -lm -o "$work/llmc"
    echo "llm.c git $(git -C "$llmc" rev-parse HEAD), gcc $(gcc -dumpfullversion) -Ofast -march=native" >> "$work/versions"
fi
[ -z "$python" ] || "$python" tests/reference/bench_torch.py version >> "$work/versions"

# one turn of one program: its steps' seconds, a line each, after the names of model and program
turn() {
    name=$1 program=$2
    shift 2
    "$@" > "$work/turn" 2> "$work/output" || { echo "bench: $program on $name failed: $(tail -n 1 "$work/output")" >&2; return 0; }
    sed -n "s/^[0-9.]*\$/$name,$program,&/p" "$work/turn" >> "$work/seconds"      # peers talk, too
}
: > "$work/seconds"
# name, L d h T V B: the sizes of the goals
cat > "$work/models" <<'END'
L6-d384-T256-V256-B12 6 384 6 256 256 12
GPT2-124M-T64-B4 12 768 12 64 50304 4
END
load=$(cut -d ' ' -f 1 /proc/loadavg)
round=0
while [ $round -lt "$rounds" ]; do
    while read -r name size; do
        turn "$name" ours "$build/tests/b_gpt" steps $size "$steps"
        [ -z "$llmc" ] || turn "$name" llm.c "$work/llmc" $size "$steps"
        [ -z "$python" ] || turn "$name" torch-eager "$python" tests/reference/bench_torch.py eager $size "$steps"
        [ -z "$python" ] || turn "$name" torch-compile "$python" tests/reference/bench_torch.py compile $size "$steps"
    done < "$work/models"
    round=$((round + 1))
done

mkdir -p "$(dirname "$out")"
{
    echo "# date $(date +%F)"
    sed 's/^/# /' "$work/versions"
    echo "# hardware $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $OMP_NUM_THREADS threads, load before $load"
    echo "# medians of $rounds turns of $steps steps each, the programs one after the other in each turn"
    echo "model,program,seconds,tokens_per_second,ours_over_it"
    sort -t , -k 1,1 -k 2,2 -k 3,3g "$work/seconds" | awk -F , '
        FNR == NR { split($0, f, " "); tokens[f[1]] = f[5] * f[7]; next }
        { key = $1 "," $2; if (!(key in n)) order[++keys] = key; value[key, ++n[key]] = $3 }
        END {
            for (k = 1; k <= keys; k++) {
                key = order[k]; c = n[key]
                median[key] = c % 2 ? value[key, (c + 1) / 2] : (value[key, c / 2] + value[key, c / 2 + 1]) / 2
            }
            for (k = 1; k <= keys; k++) {
                key = order[k]; split(key, f, ",")
                printf "%s,%.4f,%.0f,%.2f\n", key, median[key], tokens[f[1]] / median[key], median[key] / median[f[1] ",ours"]
            }
        }' "$work/models" -
} > "$out.part"
mv "$out.part" "$out"
grep -v '^#' "$out" | column -s , -t 2>/dev/null || cat "$out"
