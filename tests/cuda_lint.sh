#!/bin/sh
# Compiles every kernel for every architecture and compares what the assembler says with cuda/kernels.txt: a kernel that
# is not on the list, spills more than the list allows, or is on it and does not exist, is an error.
# Writes BUILD/kernels.report: kernel, architecture, registers, shared bytes, stack bytes, spilled bytes.
set -eu
B=${1:-build} NVCC=${NVCC:-nvcc} ARCH=${ARCH:-sm_80 sm_90a sm_100}
mkdir -p "$B"
codes=$(for a in $ARCH; do echo "-gencode arch=compute_${a#sm_},code=$a"; done)
for f in cuda/*.cu; do
    "$NVCC" -std=c++17 -O3 -D_GNU_SOURCE -I. $codes -Xptxas -v -c "$f" -o "$B/cuda_lint.o" 2>&1 || exit 1
done > "$B/cuda_lint.log"
rm -f "$B/cuda_lint.o"
c++filt < "$B/cuda_lint.log" | awk '
    function field(pattern) { return match($0, pattern) ? substr($0, RSTART) + 0 : 0 }
    /Compiling entry function/ {
        name = $0; sub(/.*entry function ./, "", name); arch = name
        sub(/.*for ./, "", arch); sub(/.$/, "", arch)
        sub(/. for .*/, "", name); sub(/\(.*/, "", name); sub(/^void /, "", name); gsub(/, /, ",", name)
        gsub(/.*::/, "", name)
    }
    /bytes stack frame/ { stack = field("[0-9]+ bytes stack"); spill = field("[0-9]+ bytes spill stores") + \
                            field("[0-9]+ bytes spill loads") }
    /Used [0-9]+ registers/ { print name, arch, field("[0-9]+ registers"), field("[0-9]+ bytes smem"), stack, spill }
' | sort -u > "$B/kernels.report"
[ -s "$B/kernels.report" ] || { echo "cuda-lint: no kernel in the compiler's report"; exit 1; }
awk '
    /^#/ || NF == 0 { next }
    NR == FNR { allowed[$1] = $2; next }
    { seen[$1] = 1 }
    !($1 in allowed) { print "cuda-lint: " $1 " is not in cuda/kernels.txt"; bad = 1; next }
    $6 > allowed[$1] { print "cuda-lint: " $1 " spills " $6 " bytes on " $2 ", allowed are " allowed[$1]; bad = 1 }
    END {
        for (k in allowed) if (!(k in seen)) { print "cuda-lint: " k " is in cuda/kernels.txt and does not exist"; bad = 1 }
        exit bad
    }' cuda/kernels.txt "$B/kernels.report"
awk '$3 > most { most = $3; who = $1 " on " $2 } END { print "cuda-lint: " NR " kernels, none beyond its list; most registers " \
     most " (" who ")" }' "$B/kernels.report"
