#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gpu_day.sh B [SANITIZER]     make gpu-day: on a GPU, all checks and figures one after the other, the quick ones first, in at
# most 25 minutes, and one archive of what they said, to send to us: B/gpu-day-TIME-COMMIT.tar.gz.  A step that fails or is
# stopped at its limit does not stop the others.  LIMITS='racecheck=600 bench=900': other limits, in seconds.
# Exit status 0, 1 a step has failed, 2 there is no GPU.
set -u
unset OMP_NUM_THREADS OPENBLAS_NUM_THREADS       # a step runs alone: make's are for programs side by side
B=$1 sanitizer=${2:-} run=$1/gpu-day-run

# What the machine is: no names of hosts or users, no serial numbers.
hardware() {
    echo "commit $(sh src/build/commit.sh), $(date -u '+%Y-%m-%d %H:%M UTC')"
    uname -sr
    lscpu 2>/dev/null | grep -E '^(Model name|CPU\(s\)|NUMA node\(s\)):'
    nvidia-smi --query-gpu=name,driver_version,memory.total,power.limit,clocks.max.sm,compute_mode,mig.mode.current --format=csv
    nvidia-smi --query-compute-apps=used_memory --format=csv
    nvidia-smi topo -m
    "${NVCC:-nvcc}" --version
    ldconfig -p | grep -oE 'lib(cudnn|cublasLt|nccl)\.so[^ ]*' | sort -u
    true
}
train() {                                # NAME OPTION...: its folder, and what it is to do
    out=$run/$1
    shift
    "$B/provably" train --quiet --backend=cuda-bf16 --width=256 --window=256 --batch=64 --out="$out" "$@"
}
sanitized() {
    [ -n "$sanitizer" ] || { echo 'compute-sanitizer is not installed'; exit 77; }
    exec "$sanitizer" --tool "$1" --error-exitcode 9 "$B/gpu-check" --small --own
}
# Small models side by side, as `provably reproduce` runs them, of a width whose heads have 31 numbers.  `mps`: their
# kernels overlap; an error of one then ends them all, so the server's own log is shown.
together() {                             # turns|mps
    work=$(mktemp -d) bad=0 all=
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' INT TERM HUP
    if [ "$1" = mps ]; then
        command -v nvidia-cuda-mps-control > /dev/null || { echo 'nvidia-cuda-mps-control is not installed'; exit 77; }
        export CUDA_MPS_PIPE_DIRECTORY="$work" CUDA_MPS_LOG_DIRECTORY="$work"
        nvidia-cuda-mps-control -d || exit 1
        trap 'echo quit | nvidia-cuda-mps-control; tail -n 20 "$work"/*.log; rm -rf "$work"' EXIT
    fi
    for k in 1 2 3 4 5 6 7 8; do
        OMP_NUM_THREADS=1 "$B/provably" train --quiet --backend=cuda-bf16 --width=186 --heads=6 --layers=6 --window=256 \
            --batch=8 --steps=300 --eval-every=300 --seed=$k --out="$work/$k" &
        all="$all $!"
    done
    for k in $all; do wait "$k" || bad=1; done
    exit $bad
}
case ${3:-} in hardware|train|sanitized|together) shift 2; "$@"; exit ;; esac     # called by `step`, below
name=gpu-day-$(date -u +%Y%m%d-%H%M%S)-$(sh src/build/commit.sh)
folder=$B/$name child=
mkdir -p "$folder" "$run" || exit 2
number=0 failed=0

packed() {
    for f in "$run"/*/*.csv; do
        [ ! -e "$f" ] || cp "$f" "$folder/$(basename "$(dirname "$f")")-$(basename "$f")"
    done
    rm -rf "$run"
    tar -C "$B" -czf "$folder.tar.gz" "$name" && rm -r "$folder" && echo "gpu-day: please send us $folder.tar.gz"
}
stopped() {
    [ -z "$child" ] || kill "$child" 2>/dev/null
    echo 'gpu-day: stopped' | tee -a "$folder/summary.txt"
    packed
    exit 1
}
trap stopped INT TERM HUP

step() {                                 # NAME SECONDS COMMAND...
    what=$1 limit=$2
    shift 2
    for other in ${LIMITS:-}; do case $other in "$what"=*) limit=${other#*=} ;; esac; done
    number=$((number + 1))
    log=$folder/$(printf %02d "$number")-$what.log begin=$(date +%s)
    timeout -k 5 "$limit" "$@" > "$log" 2>&1 < /dev/null &
    child=$!
    wait $child
    status=$? took=$(($(date +%s) - begin))
    case $status in
    0)       word=ok ;;
    77)      word=none ;;                # said in its log: what it needs is not installed
    124|137) word=LATE ;;
    *)       word=BAD ;;
    esac
    case $word in ok|none) ;; *) failed=$((failed + 1)) ;; esac
    printf '%-4s %-10s %4d s of %4d, exit status %d\n' $word "$what" $took "$limit" $status | tee -a "$folder/summary.txt"
}
self="sh $0 $B"

step hardware    30 $self "$sanitizer" hardware
step operations  60 "$B/gpu-check" --operations
if grep -q 'no GPU to check' "$log"; then
    grep 'no GPU to check' "$log" | sed 's/^[^ ]*: /gpu-day: /' >&2
    rm -r "$folder"
    exit 2
fi
step check      300 "$B/gpu-check"
step train       60 $self "$sanitizer" train flash --steps=200 --eval-every=100
step cudnn       50 $self "$sanitizer" train cudnn --attn=cudnn --steps=20
step turns       60 $self "$sanitizer" together turns
step mps         90 $self "$sanitizer" together mps
step bench      300 sh src/build/gpu_bench.sh "$B"
step memcheck   250 $self "$sanitizer" sanitized memcheck
step racecheck  200 $self "$sanitizer" sanitized racecheck
step initcheck  100 $self "$sanitizer" sanitized initcheck
echo "gpu-day: $failed of $number steps failed" | tee -a "$folder/summary.txt"
packed
[ "$failed" = 0 ]
